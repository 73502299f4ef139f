/** See bench/keys-build.ts. */
declare module "unchecked:@/lib/api/node-host" {
  export * from "@/lib/api/node-host";
}
