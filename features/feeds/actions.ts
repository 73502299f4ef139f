"use server";

import { splitAliasId } from "@/features/feeds/format";
import { defineAction } from "@/features/forms/define-action";
import { AccessError } from "@/lib/access/access-error";
import type { Runtime } from "@/lib/runtime";

const FEEDS = { by: "operator", page: "/operator/feeds" } as const;

/** Longer input is cut, and then refused as no spelling and no symbol. */
const MAX_LENGTH = 200;

export const pauseSource = defineAction({ ...FEEDS, act: "pause" }, async ({ form, runtime, actor }) => {
  const name = form.text("id");
  requireSource(runtime, name);
  await runtime.sourceControl.pause(name, actor);
});

export const resumeSource = defineAction({ ...FEEDS, act: "resume-source" }, async ({ form, runtime, actor }) => {
  await runtime.sourceControl.resume(form.text("id"), actor);
});

export const aliasSpelling = defineAction(
  {
    ...FEEDS,
    act: (form) => `alias ${form.text("id")} ${form.text("spelling", MAX_LENGTH)}`,
    fields: { invalid_spelling: "spelling", invalid_symbol: "symbol" },
  },
  async ({ form, runtime, actor }) => {
    const { source, spelling } = splitAliasId(form.text("id", MAX_LENGTH));
    requireSource(runtime, source);
    const wanted = {
      spelling: spelling ?? form.text("spelling", MAX_LENGTH),
      // A button names one symbol; the field is for any other.
      symbol: form.text("candidate", MAX_LENGTH) || form.text("symbol", MAX_LENGTH),
    };
    await runtime.sourceControl.alias(source, wanted, actor);
  },
);

export const unaliasSpelling = defineAction({ ...FEEDS, act: "unalias" }, async ({ form, runtime, actor }) => {
  const { source, spelling } = splitAliasId(form.text("id", MAX_LENGTH));
  await runtime.sourceControl.unalias(source, spelling ?? "", actor);
});

/** Makes instruments of one spelling of a source, or of all that name nothing. */
export const addInstruments = defineAction(
  {
    ...FEEDS,
    act: (form) => `add-instruments ${form.text("id")} ${form.text("spelling", MAX_LENGTH)}`,
    fields: { invalid_spelling: "spelling" },
  },
  async ({ form, runtime, actor }) => {
    const { source, spelling } = splitAliasId(form.text("id", MAX_LENGTH));
    requireSource(runtime, source);
    const isForAll = form.text("all") === "yes";
    const wanted = isForAll ? await listUnresolved(runtime, source) : [spelling ?? form.text("spelling", MAX_LENGTH)];
    await runtime.instrumentControl.addSpellings(wanted, actor);
  },
);

async function listUnresolved(runtime: Runtime, source: string): Promise<readonly string[]> {
  const status = await runtime.serverStatus();
  return status?.feeds.find((feed) => feed.source === source)?.unresolved ?? [];
}

function requireSource(runtime: Runtime, name: string): void {
  if (runtime.listSources().some((source) => source.name === name)) return;
  throw new AccessError("source_not_found", "This source no longer exists.");
}
