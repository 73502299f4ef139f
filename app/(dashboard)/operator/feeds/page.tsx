import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { addInstruments, aliasSpelling, pauseSource, resumeSource, unaliasSpelling } from "@/features/feeds/actions";
import { readFeeds } from "@/features/feeds/data";
import { FeedsView } from "@/features/feeds/feeds-view";
import { issueFormTicket } from "@/features/forms/define-action";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

/** The symbols that fields offer while one types. Every other one can be typed, in any spelling. */
const MOST_OFFERED = 400;

export const metadata: Metadata = { title: "Feeds" };

/** The state of every source of prices, for operators only. */
export default definePage("Feeds", async function FeedsPage() {
  await requireOperator("/operator/feeds");
  const runtime = await getRuntime();
  const initial = await readFeeds(runtime);
  const ticket = await issueFormTicket();
  return (
    <>
      <PageHeader title="Feeds" />
      <FeedsView
        initial={initial}
        catalog={runtime.instruments.slice(0, MOST_OFFERED).map(({ symbol, name }) => ({ symbol, name }))}
        actions={{
          pause: pauseSource.bind(null, ticket),
          resume: resumeSource.bind(null, ticket),
          alias: aliasSpelling.bind(null, ticket),
          unalias: unaliasSpelling.bind(null, ticket),
          add: addInstruments.bind(null, ticket),
        }}
      />
    </>
  );
});
