import type { MetadataRoute } from "next";

/** What a browser needs to install the dashboard as an application. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: "Spotline",
    short_name: "Spotline",
    description: "Your brokers' prices in, a JSON API and a dashboard out.",
    id: "/",
    start_url: "/overview",
    display: "standalone",
    background_color: "#0d0e0e",
    theme_color: "#121413",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: "Quotes", url: "/quotes" },
      { name: "Calendar", url: "/calendar" },
      { name: "API keys", url: "/keys" },
    ],
  };
}
