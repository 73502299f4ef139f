/** The version of this release: "0.2.0". */
export { version } from "@/package.json";
