import type { ReactNode } from "react";
import { requireAccount } from "@/app/session";

/** Asks before the loading state is sent: a redirect is then a real one, not a page that leads away. */
export default async function QuotesLayout({ children }: { children: ReactNode }) {
  await requireAccount("/quotes");
  return children;
}
