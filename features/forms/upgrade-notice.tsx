"use client";

import { RefreshCw, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { claimReload, followServerBuild, type Upgrade, useUpgrade } from "@/components/shared/server-build";
import { Button } from "@/components/ui/button";
import { attempt, forgetTyped, saveTyped } from "@/features/forms/use-draft";

/** How long nobody uses a visible page before it is loaded again. */
const QUIET_MS = 10_000;
/** Hidden tabs load at different moments, because a server that has just started has many of them. */
const HIDDEN_MS = 5_000;
const CHECK_MS = 1_000;
const SHOWN_MS = 10_000;

/** What the page before has left to say to this one. */
interface Outcome {
  /** Whether something that was typed is put back. */
  readonly isKept: boolean;
  readonly isUnsent: boolean;
}

const OUTCOME = "spotline-updated";

/**
 * Says that the server now runs another build than this tab. Where nothing can be lost, the page is loaded again by itself.
 * Otherwise its reader does it, and what was typed is put back. A form is never sent again.
 */
export function UpgradeNotice({ build }: { build: string }) {
  const upgrade = useUpgrade();
  const outcome = useSyncExternalStore(subscribeNever, readOutcome, () => null);
  const [isClosed, setClosed] = useState(false);
  const path = usePathname();
  useEffect(() => followServerBuild(build), [build]);
  useEffect(() => watchUse(), []);
  useEffect(() => startPage(), [path]);
  useEffect(() => (upgrade === null ? undefined : keepOnLeave(upgrade)), [upgrade]);
  useEffect(() => (upgrade === null ? undefined : reloadWhenQuiet(upgrade)), [upgrade]);
  useEffect(() => {
    if (outcome === null || outcome.isKept || outcome.isUnsent) return;
    const timer = setTimeout(() => setClosed(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const isShown = !isClosed && (upgrade ?? outcome) !== null;
  return (
    <div
      role="status"
      aria-label="Version"
      className="pointer-events-none fixed inset-x-0 top-3 z-50 flex justify-center px-4 print:hidden"
    >
      {isShown && (
        <div className="pointer-events-auto flex max-w-xl items-center gap-3 rounded-md border border-edge bg-raised py-2 pr-2 pl-3 text-xs13 shadow-float motion-safe:animate-[rise_160ms_ease-out]">
          <RefreshCw aria-hidden size={15} className="flex-none text-accent-ink" />
          <p>Spotline was updated. {upgrade === null ? describeOutcome(outcome) : describeUpgrade(upgrade)}</p>
          {upgrade !== null && (
            <Button size="sm" onClick={() => location.reload()}>
              Reload
            </Button>
          )}
          <button
            type="button"
            aria-label="Close the notice of the update"
            onClick={() => setClosed(true)}
            className="grid size-7 flex-none place-items-center rounded-md text-faint hover:bg-hover hover:text-ink"
          >
            <X aria-hidden size={14} />
          </button>
        </div>
      )}
    </div>
  );
}

function describeUpgrade({ isUnsent }: Upgrade): string {
  if (isUnsent) return "The form was not sent, and nothing was changed.";
  return isTyped ? "A reload keeps what you typed, except passwords and codes." : "";
}

function describeOutcome(outcome: Outcome | null): string {
  const kept = outcome?.isKept === true ? "What you typed is still there, except passwords and codes. " : "";
  return outcome?.isUnsent === true ? `The form was not sent. ${kept}Check it and send it again.` : kept;
}

/** Whether the reader has typed, chosen or sent something since the page was opened. */
let isTyped = false;
let usedAt = 0;
let openedPath = "";

function startPage(): void {
  if (openedPath === location.pathname) return;
  openedPath = location.pathname;
  isTyped = false;
  forgetTyped();
}

/** Notes when the page is used. Returns what ends it. */
function watchUse(): () => void {
  const watching = new AbortController();
  const options = { capture: true, passive: true, signal: watching.signal };
  for (const name of ["input", "submit"]) document.addEventListener(name, () => (isTyped = true), options);
  for (const name of ["pointerdown", "keydown", "wheel", "scroll", "touchmove"]) {
    document.addEventListener(name, () => (usedAt = performance.now()), options);
  }
  return () => watching.abort();
}

/** Whether loading the page again loses nothing. An open dialog may show a secret that is shown once. */
function isLossless(): boolean {
  return (
    !isTyped && document.querySelector("dialog[open], :popover-open, [aria-expanded=true][role=combobox]") === null
  );
}

/** Loads the page again once nobody uses it and nothing is lost, or at once if a form was not sent. */
function reloadWhenQuiet(upgrade: Upgrade): () => void {
  const start = performance.now();
  const hiddenMs = Math.random() * HIDDEN_MS;
  const check = (): void => {
    const now = performance.now();
    const isQuiet = now - Math.max(usedAt, start) >= QUIET_MS || (document.hidden && now - start >= hiddenMs);
    if (!upgrade.isUnsent && !(isLossless() && isQuiet)) return;
    clearInterval(timer);
    // Without storage, nothing would keep the tab from loading again and again.
    if (attempt(() => claimReload(sessionStorage, upgrade.build, Date.now())) === true) location.reload();
  };
  const timer = setInterval(check, CHECK_MS);
  check();
  return () => clearInterval(timer);
}

/** A link or Next itself may load a page too. */
function keepOnLeave({ isUnsent }: Upgrade): () => void {
  const keep = () => attempt(() => leave(isUnsent));
  addEventListener("pagehide", keep);
  return () => removeEventListener("pagehide", keep);
}

function leave(isUnsent: boolean): void {
  const isKept = saveTyped(sessionStorage) > 0;
  sessionStorage.setItem(OUTCOME, JSON.stringify({ path: location.pathname, isKept, isUnsent }));
}

const subscribeNever = () => () => {};

let taken: { readonly outcome: Outcome | null } | undefined;

function readOutcome(): Outcome | null {
  taken ??= { outcome: attempt(takeOutcome) };
  return taken.outcome;
}

/** Returns what the page before has left; of another page, only that there was an update. */
function takeOutcome(): Outcome | null {
  const text = sessionStorage.getItem(OUTCOME);
  sessionStorage.removeItem(OUTCOME);
  if (text === null) return null;
  const { path, isKept, isUnsent } = JSON.parse(text) as Outcome & { readonly path: string };
  const isHere = path === location.pathname;
  return { isKept: isKept && isHere, isUnsent: isUnsent && isHere };
}
