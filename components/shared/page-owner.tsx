"use client";

import { createContext, type ReactNode } from "react";

/** The id of the account that a page is rendered for; that of the demo for its visitors. */
export const PageOwnerContext = createContext("");

/** Names the account that the pages inside are rendered for. Drafts and live data of another account do not reach them. */
export function PageOwner({ accountId, children }: { accountId: string; children: ReactNode }) {
  return <PageOwnerContext value={accountId}>{children}</PageOwnerContext>;
}
