/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // Its lines would name form fields beside our own log.
  logging: { serverFunctions: false },
  // `npm run types` checks them, once and for all files; a build for an operator need not do it again.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Loading the code of every page takes seconds, in which a restarted process answers nobody.
    preloadEntriesOnStart: false,
    // Writing it takes ten seconds and 260 MB; a later build gains five seconds.
    turbopackFileSystemCacheForBuild: false,
    // Nothing reads those of the server, which take a tenth of the build and two thirds of its files' size.
    turbopackSourceMaps: false,
  },
  // Pages of the documentation as Markdown.
  rewrites: () =>
    Promise.resolve([
      // Other versions of the API, and endpoints without one: its host for Next answers where they are.
      { source: "/:version(v(?!1\\b)\\d+)/:path*", destination: "/v1/unknown/:path*" },
      {
        source:
          "/:name(export|exports|heatmap|indicator|monitor|multi|ohlc|openapi\\.json|calendar\\.ics|quality|quote|screener|spread|stream|summary|webhooks|ws)/:path*",
        destination: "/v1/unknown/:path*",
      },
      { source: "/docs.md", destination: "/docs-text" },
      { source: "/docs/:page([a-z-]+)\\.md", destination: "/docs-text/:page" },
      { source: "/docs/reference/:page([a-z-]+)\\.md", destination: "/docs-text/reference/:page" },
    ]),
  // Loaded from node_modules at run time: they carry workers or native sockets.
  serverExternalPackages: ["@prisma/client", "@prisma/adapter-pg", "pg", "pino"],
};

export default config;
