import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { MissingScripts } from "@/components/shell/missing-scripts";
import { readPalette, readTheme } from "@/components/shell/read-look";
import { ZoneKeeper } from "@/components/shell/zone-keeper";
import { Announcer } from "@/components/ui/announcer";
import { UpgradeNotice } from "@/features/forms/upgrade-notice";

import "@/app/globals.css";

export const metadata: Metadata = {
  title: { default: "Spotline", template: "%s · Spotline" },
  description: "Your brokers' prices in, a JSON API and a dashboard out.",
  robots: { index: false, follow: false },
};

const barColor = { dark: "#121413", light: "#fcfbf8" };

/** The browser's bars have the colour of the chosen theme, which may differ from the device's. */
export async function generateViewport(): Promise<Viewport> {
  const theme = await readTheme();
  if (theme !== "system") return { themeColor: barColor[theme] };
  return {
    themeColor: [
      { media: "(prefers-color-scheme: light)", color: barColor.light },
      { media: "(prefers-color-scheme: dark)", color: barColor.dark },
    ],
  };
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html
      lang="en"
      data-theme={await readTheme()}
      data-palette={await readPalette()}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
    >
      <head>
        <MissingScripts />
      </head>
      <body>
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
        >
          Skip to content
        </a>
        {children}
        <Announcer />
        <ZoneKeeper />
        <UpgradeNotice build={process.env.SPOTLINE_BUILD ?? ""} />
      </body>
    </html>
  );
}
