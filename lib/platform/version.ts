/** The version of this release: "0.1.0". */
export { version } from "@/package.json";
