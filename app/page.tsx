import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { readTheme } from "@/components/shell/read-look";
import { readLandingQuote } from "@/features/landing/data";
import { LandingPage } from "@/features/landing/landing-page";
import { definePage, readSoon } from "@/features/session/page-parts";
import { getSignedInAccount } from "@/features/session/session";
import { readApiOrigin } from "@/features/session/visitor";
import { enterDemo } from "@/features/sign-in/actions";
import { HOME_PATH } from "@/features/sign-in/next-path";
import { getRuntime } from "@/lib/runtime";

const DESCRIPTION = "Your brokers' prices in, a JSON API and a dashboard out.";

/** What chats and social networks show of a link. */
export const metadata: Metadata = {
  openGraph: { type: "website", siteName: "Spotline", title: "Spotline", description: DESCRIPTION },
  twitter: { card: "summary" },
};

/** The first page: an introduction, or for a member the overview. */
export default definePage(
  null,
  async function HomePage({ searchParams }: { searchParams: Promise<{ demo?: string | string[] }> }) {
    if ((await getSignedInAccount()) !== null) redirect(HOME_PATH);
    const runtime = await getRuntime();
    const isNew = (await readSoon(runtime, runtime.accounts.count())) === 0;
    return (
      <LandingPage
        quote={readLandingQuote(runtime)}
        origin={await readApiOrigin()}
        canSignUp={runtime.config.signUp === "open"}
        isNew={isNew}
        demo={runtime.config.hasDemo ? enterDemo : null}
        isDemoBusy={(await searchParams).demo === "busy"}
        theme={await readTheme()}
      />
    );
  },
);
