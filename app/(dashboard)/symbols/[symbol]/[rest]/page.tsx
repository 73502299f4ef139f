import { redirect } from "next/navigation";
import { toAddress } from "@/features/session/address";
import { decodePart } from "@/features/symbols/read-choice";

interface Props {
  params: Promise<{ symbol: string; rest: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** A spelling with a slash, such as "EUR/USD". */
export default async function SlashPage({ params, searchParams }: Props) {
  const { symbol, rest } = await params;
  const spelling = encodeURIComponent(`${decodePart(symbol)}/${decodePart(rest)}`);
  redirect(toAddress(`/symbols/${spelling}`, await searchParams));
}
