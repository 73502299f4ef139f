import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { PagePart, PageParts } from "@/components/ui/page-part";
import { issueFormTicket } from "@/features/forms/define-action";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireOperator } from "@/features/session/session";
import { readApiOrigin } from "@/features/session/visitor";
import { createTerminal, endTerminal } from "@/features/terminals/actions";
import { readTerminals } from "@/features/terminals/data";
import { TerminalForm } from "@/features/terminals/terminal-form";
import { TerminalSteps } from "@/features/terminals/terminal-steps";
import { TerminalsView } from "@/features/terminals/terminals-view";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "MetaTrader" };

/** The MetaTrader terminals that push prices, and how to connect one. */
export default definePage("MetaTrader", async function TerminalsPage() {
  const { id } = await requireOperator("/operator/terminals");
  const data = await readTerminals(await getRuntime());
  const ticket = await issueFormTicket();
  return (
    <>
      <PageHeader title="MetaTrader" />
      <TerminalsView initial={data} end={endTerminal.bind(null, ticket)} />
      <PageParts>
        <PagePart
          titleId="connect-title"
          title="Connect a terminal"
          text="A program in MetaTrader 5 sends the prices of your broker to this server. Each terminal has a token, which names the source. The source exists as soon as its token does."
        >
          <TerminalForm action={createTerminal.bind(null, ticket)} confirmed={await isConfirmed(id)} />
        </PagePart>
        <PagePart
          titleId="steps-title"
          title="Install the program"
          text="MetaTrader runs on Windows, or on a rented Windows server near the broker. Keep the terminal signed in and the computer awake."
        >
          <TerminalSteps origin={await readApiOrigin()} />
        </PagePart>
      </PageParts>
    </>
  );
});
