import { redirect } from "next/navigation";
import { toAddress } from "@/features/session/address";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The chart of the most traded pair. */
export default async function SymbolsPage({ searchParams }: Props) {
  redirect(toAddress("/symbols/EURUSD", await searchParams));
}
