import { preparePast } from "@/e2e/support/prepared-past";

/** Prepares the past that the tests of servers start with, so that it can be done beside other work. */

await preparePast();
