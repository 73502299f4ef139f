"use client";

import { createContext, type ReactNode } from "react";

/** Apart from the drafts, because every page has it and few pages have forms. */
export const DraftOwnerContext = createContext("");

/** Names the account whose drafts the forms inside store. Another account does not get them. */
export function DraftOwner({ accountId, children }: { accountId: string; children: ReactNode }) {
  return <DraftOwnerContext value={accountId}>{children}</DraftOwnerContext>;
}
