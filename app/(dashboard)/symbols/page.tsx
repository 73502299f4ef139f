import { redirect } from "next/navigation";

/** The chart of the most traded pair. */
export default function SymbolsPage() {
  redirect("/symbols/EURUSD");
}
