import { startPages } from "@/lib/runtime/pages";
import { runPages } from "@/lib/runtime/run-pages";

runPages(startPages);
