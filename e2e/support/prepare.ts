import setup from "@/e2e/support/global-setup";

/** Prepares what the tests of servers start with, so that it can be done beside other work. */

await setup();
