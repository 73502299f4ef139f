import type { Metadata } from "next";
import { UnknownSymbol } from "@/features/symbols/unknown-symbol";

export const metadata: Metadata = { title: "Unknown symbol" };

export default function UnknownSymbolPage() {
  return <UnknownSymbol />;
}
