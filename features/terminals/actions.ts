"use server";

import { defineAction } from "@/features/forms/define-action";
import { readApiOrigin } from "@/features/session/visitor";
import type { Runtime } from "@/lib/runtime";

const TERMINALS = { by: "operator", page: "/operator/terminals" } as const;

/** Longer input is cut before it is checked. */
const MAX_NAME_LENGTH = 100;

export const createTerminal = defineAction(
  { ...TERMINALS, needsConfirmation: true, act: "create-terminal", fields: { invalid_source: "source" } },
  async ({ form, runtime, actor }) => {
    const { id, source, secret } = await runtime.ingestTokens.create(
      form.text("source", MAX_NAME_LENGTH),
      actor,
      await readTakenNames(runtime),
    );
    return { id, source, secret, url: await readApiOrigin() };
  },
);

/** The sources that are no terminals. */
async function readTakenNames({ serverStatus }: Runtime): Promise<string[]> {
  const feeds = (await serverStatus())?.feeds ?? [];
  return feeds.filter(({ kind }) => kind !== "mt5").map(({ source }) => source);
}

export const endTerminal = defineAction({ ...TERMINALS, act: "end-terminal" }, async ({ form, runtime, actor }) => {
  await runtime.ingestTokens.end(form.text("id"), actor);
});
