"use client";

import { useQuery } from "@tanstack/react-query";
import { CalendarPlus } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { CopyLine } from "@/components/ui/copy-line";
import { Dialog } from "@/components/ui/dialog";
import { type CalendarFeeds, feedAddress } from "@/features/calendar/calendar-feeds";
import type { CalendarChoice } from "@/features/calendar/url";

/** The way to the calendar in the reader's own calendar program. */
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
          Google Calendar, Outlook, Apple Calendar and Thunderbird read the economic calendar from this address, with
          the currencies, impact and search you have chosen.
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
  if (isError) return <p className="mt-4 text-dim">Your keys could not be read. Close this and try again.</p>;
  if (data === undefined) return <p className="mt-4 text-dim">Reading your keys…</p>;
  const feed = data.feeds.find(({ id }) => id === keyId) ?? data.feeds[0];
  if (feed === undefined) {
    return (
      <>
        <p className="mt-4">
          A feed belongs to an API key that has the calendar, and none of yours that works does. A tool key has it on
          every plan.
        </p>
        <Link href="/keys/new" className={`mt-3 ${buttonClass("primary")}`}>
          Create a key
        </Link>
      </>
    );
  }
  const address = feedAddress(data.address, feed, choice);
  return (
    <div className="mt-4 grid gap-3">
      <label className="grid gap-1.5">
        <span className="font-medium">Key the feed belongs to</span>
        <select value={feed.id} onChange={(event) => setKeyId(event.target.value)} className="feed-key">
          {data.feeds.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <CopyLine id="feed-address" label="Address" text={address} />
      <p className="text-[0.8125rem] text-faint">
        Whoever has this address can read this feed, and nothing else of your account: it does not hold the key. It ends
        when the key is revoked, disabled, rotated or expires.
        {!feed.withActual && " On this key’s terms it has no released figures."}
        {choice.impacts.length > 1 && " A feed knows one impact or all: this one has all."}
      </p>
    </div>
  );
}
