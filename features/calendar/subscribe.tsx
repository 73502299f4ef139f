"use client";

import { useQuery } from "@tanstack/react-query";
import { CalendarPlus } from "lucide-react";
import { useState } from "react";
import { Button, getButtonClass } from "@/components/ui/button";
import { CopyLine } from "@/components/ui/copy-line";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { type CalendarFeeds, toFeedAddress } from "@/features/calendar/calendar-feeds";
import type { CalendarChoice } from "@/features/calendar/url";

/** Shows the address that a calendar program subscribes to. */
export function Subscribe({ choice }: { choice: CalendarChoice }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <CalendarPlus aria-hidden size={14} />
        Subscribe
      </Button>
      <Dialog open={open} title="Subscribe in your calendar" onDismiss={() => setOpen(false)} wide>
        <p className="mt-1 text-dim">
          Google Calendar, Outlook, Apple Calendar and Thunderbird can read the economic calendar from this address,
          with the currencies, impact and search that you chose.
        </p>
        <FeedAddress choice={choice} />
        <div className="mt-5 flex justify-end">
          <Button onClick={() => setOpen(false)}>Done</Button>
        </div>
      </Dialog>
    </>
  );
}

function FeedAddress({ choice }: { choice: CalendarChoice }) {
  const [keyId, setKeyId] = useState<string | null>(null);
  const { data, isError } = useQuery({
    queryKey: ["calendar-feeds"],
    staleTime: 0,
    async queryFn({ signal }): Promise<CalendarFeeds> {
      const answer = await fetch("/calendar/feeds", { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as CalendarFeeds;
    },
  });
  if (isError) return <p className="mt-4 text-dim">Your keys could not be loaded. Close this dialog and try again.</p>;
  if (data === undefined) return <p className="mt-4 text-dim">Loading your keys…</p>;
  const feed = data.feeds.find(({ id }) => id === keyId) ?? data.feeds[0];
  if (feed === undefined) {
    return (
      <>
        <p className="mt-4">
          A calendar feed needs an active API key with access to the calendar, and you have none. Tool keys have access
          on every plan.
        </p>
        <Link href="/keys/new" className={`mt-3 ${getButtonClass("primary")}`}>
          Create a key
        </Link>
      </>
    );
  }
  const address = toFeedAddress(data.address, feed, choice);
  return (
    <div className="mt-4 grid gap-3">
      <label className="grid gap-1.5">
        <span className="font-medium">API key of the feed</span>
        <select
          value={feed.id}
          onChange={(event) => setKeyId(event.target.value)}
          className="h-9 rounded-md border border-edge bg-raised px-2.5"
        >
          {data.feeds.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <CopyLine id="feed-address" label="Address" text={address} />
      <p className="text-xs13 text-faint">
        Anyone with this address can read the feed, but nothing else in your account. It stops working when the key is
        revoked, disabled or rotated, or expires.
        {!feed.withActual && " With this key, the feed has no released figures."}
        {choice.impacts.length > 1 && " A feed can have one impact or all of them, so this feed has all."}
        {choice.kinds.length > 0 && " A feed has events of all kinds."}
      </p>
    </div>
  );
}
