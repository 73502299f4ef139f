"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { createSaver, type SaveAnswer, type Saved, type SaveState } from "@/components/shared/saver";
import { announce } from "@/components/ui/announcer";
import { keepAt } from "@/components/ui/past-address";
import { attempt, dropDraft, saveDraft, takeDraft, useDraftName } from "@/features/forms/use-draft";
import type { Screen, ScreenContent } from "@/lib/access/screens/screen";
import type { SavedScreen, ScreenLine } from "@/lib/access/screens/screens";

type Value = Pick<Screen, "name" | "content">;
export type ChangeScreen = (change: (value: Value) => Value) => void;
export type ChangeContent = (change: (content: ScreenContent) => ScreenContent) => void;

/** Longer than the pauses while a person arranges panels. */
const DELAY_MS = 1_500;

/**
 * A screen of the account, or one that is only shown (`id` null). A change is shown at once and saved a moment later. One
 * that meets the end of the session is kept in this tab until its owner has signed in again.
 */
export function useScreen({ id, name, content, revision }: Omit<Screen, "id"> & { readonly id: string | null }) {
  const [value, setValue] = useState<Value>({ name, content });
  const [saveState, setSaveState] = useState<SaveState>({ kind: "saved" });
  const saver = useRef<ReturnType<typeof createSaver<Value>>>(null);
  const router = useRouter();
  const draft = useDraftName("screen");
  const [first] = useState<Saved<Value>>({ revision, value: { name, content } });

  useEffect(() => {
    if (id === null) return;
    const created = createSaver<Value>(first, {
      delayMs: DELAY_MS,
      send: (body) => sendScreen(id, body),
      read: () => readScreen(id),
      onValue: setValue,
      onState(state) {
        setSaveState(state);
        if (state.kind === "saved") attempt(() => dropDraft(sessionStorage, draft));
      },
      onSignedOut(unsaved, of) {
        attempt(() => saveDraft(sessionStorage, draft, { screen: [JSON.stringify({ ...unsaved, revision: of })] }));
        // The page checks the session itself and redirects to sign in.
        router.refresh();
      },
    });
    saver.current = created;
    const kept = takeKept(draft);
    if (kept !== null && kept.revision === first.revision) created.change(() => kept.value);
    else if (kept !== null) void keepAsCopy(kept.value);
    const onVisibility = () => void (document.hidden ? created.flush() : created.refresh());
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      void created.flush();
    };
  }, [id, first, router, draft]);

  const change = useCallback<ChangeScreen>(
    (next) => (id === null ? setValue(next) : saver.current?.change(next)),
    [id],
  );
  const refresh = useCallback(() => void saver.current?.refresh(), []);
  return { value, change, saveState, refresh, flush: () => saver.current?.flush() ?? Promise.resolve(true) };
}

/** What could not be saved because the session had ended; null without any. */
function takeKept(draft: string): Saved<Value> | null {
  const text = attempt(() => takeDraft(sessionStorage, draft))?.screen?.[0];
  if (text === undefined) return null;
  const { name, content, revision } = JSON.parse(text) as Value & { revision: number };
  return { revision, value: { name, content } };
}

/** Another browser has changed the screen since, so what was kept becomes a screen of its own. */
async function keepAsCopy({ name, content }: Value): Promise<void> {
  const answer = await createScreen({ name: toCopyName(name), content });
  announce(typeof answer === "string" ? answer : `Kept as the screen ${answer.name}`);
}

const LONGEST_NAME = 40;
export const toCopyName = (name: string): string => `${name.slice(0, LONGEST_NAME - " copy".length)} copy`;

async function sendScreen(id: string, { revision, value }: Saved<Value>): Promise<SaveAnswer<Value>> {
  try {
    const answer = await request(`/screens/${id}/data`, "PUT", { revision, ...value });
    const content = (await answer.json()) as SavedScreen & { error?: string };
    if (content.error === undefined && (answer.ok || answer.status === 409)) {
      const { name, content: stored, revision: now, isSaved } = content;
      return { revision: now, value: { name, content: stored }, isSaved };
    }
    return {
      error: content.error ?? "The screen could not be saved.",
      isFinal: [400, 404, 413].includes(answer.status),
      isSignedOut: answer.status === 401,
    };
  } catch {
    return { error: "The server cannot be reached. The screen is saved once it answers.", isFinal: false };
  }
}

async function readScreen(id: string): Promise<Saved<Value> | null> {
  try {
    const answer = await fetch(`/screens/${id}/data`, { cache: "no-store" });
    if (!answer.ok) return null;
    const { name, content, revision } = (await answer.json()) as Screen;
    return { revision, value: { name, content } };
  } catch {
    return null;
  }
}

/** Creates a screen. Resolves with it, or with the reason for people why not. */
async function createScreen(value: Value): Promise<Screen | string> {
  return ask<Screen>("/screens/data", "POST", value);
}

/** Deletes a screen. Resolves with those that are left, or with the reason why not. */
export async function deleteScreen(id: string): Promise<{ readonly screens: readonly ScreenLine[] } | string> {
  return ask(`/screens/${id}/data`, "DELETE");
}

/** Puts screens into an order. Resolves with all of them, or with the reason why not. */
export async function orderScreens(
  ids: readonly string[],
): Promise<{ readonly screens: readonly ScreenLine[] } | string> {
  return ask("/screens/order", "PUT", { ids });
}

async function ask<Answer>(url: string, method: string, body?: object): Promise<Answer | string> {
  try {
    const answer = await request(url, method, body);
    const content = (await answer.json()) as Answer & { error?: string };
    return answer.ok ? content : (content.error ?? "The server refused it.");
  } catch {
    return "The server cannot be reached.";
  }
}

function request(url: string, method: string, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Also sent while the page is being left.
    keepalive: true,
  });
}

/** Creates a screen and shows it. Without an account, or over the limit, the reason is shown. */
export function useNewScreen() {
  const router = useRouter();
  return async (value: Pick<Screen, "name" | "content">): Promise<void> => {
    const created = await createScreen(value);
    if (typeof created === "string") announce(created);
    else router.push(keepAt(`/screens/${created.id}`));
  };
}
