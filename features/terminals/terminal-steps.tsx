import { Figure } from "@/components/ui/figure";
/** How to set up the program in MetaTrader. */
export function TerminalSteps({ origin }: { origin: string }) {
  return (
    <ol className="grid list-decimal gap-2.5 pl-5 text-xs13 marker:text-faint">
      <li>
        Create a token above. Copy <b>URL</b> and <b>Token</b> now: the token is shown once.
      </li>
      <li>
        In MetaTrader 5, open <b>Tools › Options › Expert Advisors</b>, select <b>Allow WebRequest for listed URL</b>{" "}
        and add{" "}
        <Figure as="code" className="[overflow-wrap:anywhere]">
          {origin}
        </Figure>
        . A program cannot add it itself.
      </li>
      <li>
        Select <b>File › Open Data Folder</b> and copy <code className="numerals">connectors/mt5/Spotline.mq5</code> of
        Spotline into <code className="numerals">MQL5/Experts</code>. Open it in MetaEditor and press <b>F7</b>.
      </li>
      <li>
        Drag <b>Spotline</b> from the Navigator onto any one chart. Paste URL and Token into its inputs, and choose
        whether it sends all symbols of Market Watch or a list.
      </li>
      <li>
        Switch <b>Algo Trading</b> on. The program does not trade. The Experts tab shows what it does.
      </li>
    </ol>
  );
}
