import { type FeedSink, type FeedSource, type FetchPast, nameQuote } from "@/lib/feeds/feed";
import type { FeedContext } from "@/lib/feeds/feed-kind";
import { FeedMember } from "@/lib/feeds/set/feed-member";
import { type PastFeed, planFeeds, type PlannedFeed } from "@/lib/feeds/set/feed-plan";
import type { FeedSetting, FeedSettings } from "@/lib/feeds/settings/feed-setting";
import type { Clock } from "@/lib/platform/timing/clock";

/** One source of the set, with the setting of its feed. */
export interface SetSource extends FeedSource {
  readonly setting: FeedSetting;
  readonly member: FeedMember;
}

/** The names of the sources that a change of the settings affected. */
export interface SetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Started again, or with other aliases, hours or priority. */
  readonly changed: readonly string[];
}

/** What a change of the set ended. */
export interface Ended {
  /** Names of sources, and of single quotes as `nameQuote` names them, that must not be served any more. */
  readonly dropped: ReadonlySet<string>;
  /** Names of sources whose connection was ended, also if it begins anew and their quotes stay. */
  readonly lost: ReadonlySet<string>;
}

interface Options extends FeedContext {
  readonly sink: FeedSink;
  /** Called when the list has changed. */
  readonly onChange: (sources: readonly SetSource[], ended: Ended) => void;
}

/** All feeds of the server. Each starts, fails and stops by itself; they can be changed while they run. */
export class FeedSet {
  readonly #options: Options;
  #members: readonly FeedMember[];
  #sources: readonly SetSource[];
  #paused: ReadonlySet<string> = new Set();
  #isRunning = false;
  /** Changes run one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  /** Creates the feeds without starting them. Throws an Error with a readable message if one cannot be created. */
  constructor(settings: FeedSettings, options: Options) {
    this.#options = options;
    this.#members = planFeeds(settings.feeds, options).map((plan) => this.#createMember(plan));
    this.#sources = listSources(this.#members, settings.sourcePriority);
  }

  /** Every source, most trusted first. */
  get sources(): readonly SetSource[] {
    return this.#sources;
  }

  /** The clock of a replay at its own time, which is then the only feed; undefined otherwise. */
  get ownClock(): Clock | undefined {
    return this.#members.find(({ ownClock }) => ownClock !== undefined)?.ownClock;
  }

  /** The feed that can return prices of the past; null if there is none. */
  get past(): PastFeed | null {
    const member = this.#members.find(({ hasHistory }) => hasHistory);
    if (member === undefined) return null;
    const sources = this.#sources.filter((source) => source.member === member).map(({ name }) => name);
    return { setting: member.setting, symbols: member.quoted, sources };
  }

  /** How the past of a source is fetched; undefined if it has none. */
  findPast(name: string): FetchPast | undefined {
    return this.#sources.find((source) => source.name === name)?.member.getFetchPast();
  }

  isPaused(name: string): boolean {
    return this.#paused.has(name);
  }

  async start(): Promise<void> {
    await this.#run(async () => {
      this.#isRunning = true;
      await Promise.all(this.#members.map((member) => member.start()));
    });
  }

  async stop(): Promise<void> {
    await this.#run(async () => {
      this.#isRunning = false;
      await Promise.all(this.#members.map((member) => member.stop()));
    });
  }

  /** Pauses these sources, and resumes all others. */
  async setPaused(names: ReadonlySet<string>): Promise<void> {
    await this.#run(async () => {
      const dropped = new Set([...names].filter((name) => !this.#paused.has(name)));
      const resumed = new Set([...this.#paused].filter((name) => !names.has(name)));
      this.#paused = names;
      await Promise.all(this.#members.map((member) => member.setPaused(names)));
      if (dropped.size > 0) this.#options.onChange(this.#sources, { dropped, lost: dropped });
      for (const member of this.#members) member.repeatReports(resumed);
    });
  }

  /**
   * Stops and starts only what differs. Throws an Error with a readable message, and changes nothing, if a feed cannot
   * be created.
   */
  apply(settings: FeedSettings): Promise<SetChange> {
    return this.#run(() => this.#apply(settings));
  }

  async #apply({ feeds, sourcePriority }: FeedSettings): Promise<SetChange> {
    const before = new Map(this.#members.map((member) => [member.key, member]));
    const plans = planFeeds(feeds, this.#options);
    const members = plans.map((plan) => before.get(plan.key) ?? this.#createMember(plan));
    if (
      members.some((member) => member.ownClock !== undefined && !before.has(member.key)) ||
      this.#losesClock(members)
    ) {
      throw new Error("A replay at its own time cannot be added or removed while the server runs: start it again.");
    }
    const sources = listSources(members, sourcePriority, (member) => feeds[members.indexOf(member)] ?? member.setting);
    const earlier = this.#sources;
    const change = compareSources(earlier, sources);
    const ended = this.#members.filter((member) => !members.includes(member));
    await Promise.all(ended.map((member) => member.stop()));
    for (const { member, setting } of sources) member.setting = setting;
    const unquoted = members.flatMap((member, index) => {
      const symbols = member.setQuoted(plans[index]?.quoted ?? null);
      return member.sources.flatMap(({ name }) => symbols.map((symbol) => nameQuote(name, symbol)));
    });
    this.#members = members;
    this.#sources = sources;
    const lost = new Set([...change.removed, ...listRestarted(earlier, sources)]);
    const dropped = new Set([...change.removed, ...unquoted, ...listEnded(earlier, sources)]);
    this.#options.onChange(sources, { dropped, lost });
    for (const member of members) await member.setPaused(this.#paused);
    if (this.#isRunning) await Promise.all(members.map((member) => member.start()));
    return change;
  }

  #losesClock(members: readonly FeedMember[]): boolean {
    return this.#members.some((member) => member.ownClock !== undefined && !members.includes(member));
  }

  #createMember(plan: PlannedFeed): FeedMember {
    return new FeedMember(plan, this.#options);
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => {});
    return result;
  }
}

/** Lists the sources of all feeds in priority order. Throws an Error if the settings contradict each other. */
function listSources(
  members: readonly FeedMember[],
  priority: readonly string[],
  findSetting: (member: FeedMember) => FeedSetting = ({ setting }) => setting,
): SetSource[] {
  if (members.length > 1 && members.some(({ ownClock }) => ownClock !== undefined)) {
    throw new Error("A replay at its own time must be the only feed: all prices have one clock.");
  }
  const sources = members.flatMap((member) => {
    const setting = findSetting(member);
    const hours = setting.hours ?? undefined;
    return member.sources.map((source): SetSource => ({ hours, ...source, setting, member }));
  });
  const names = sources.map(({ name }) => name);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`Two feeds have a source named ${double}: give one of them another name.`);
  return sortSources(sources, priority);
}

/** The sources that were there before and have another connection now. */
function listRestarted(before: readonly SetSource[], after: readonly SetSource[]): string[] {
  const old = new Map(before.map((source) => [source.name, source.member]));
  return after.flatMap(({ name, member }) => {
    const earlier = old.get(name);
    return earlier === undefined || earlier === member ? [] : name;
  });
}

/**
 * The sources whose earlier quotes may be those of another market, and the quotes that a source does not ask for any
 * more. A new connection to the same market keeps the others: each still has the age that its time says.
 */
function listEnded(before: readonly SetSource[], after: readonly SetSource[]): string[] {
  const old = new Map(before.map((source) => [source.name, source.member]));
  return after.flatMap(({ name, member }) => {
    const earlier = old.get(name);
    if (earlier === undefined || earlier === member) return [];
    if (earlier.origin !== member.origin) return [name];
    const { subscribed } = member;
    const left = subscribed === null ? [] : earlier.subscribed?.filter((symbol) => !subscribed.includes(symbol));
    return (left ?? []).map((symbol) => nameQuote(name, symbol));
  });
}

function compareSources(before: readonly SetSource[], after: readonly SetSource[]): SetChange {
  const old = new Map(before.map((source) => [source.name, source]));
  const isSame = (one: SetSource, other: SetSource) =>
    one.member === other.member && JSON.stringify(one.setting) === JSON.stringify(other.setting);
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !after.some((source) => source.name === name)).map(({ name }) => name),
    changed: after
      .filter((source) => {
        const earlier = old.get(source.name);
        return earlier !== undefined && !isSame(earlier, source);
      })
      .map(({ name }) => name),
  };
}

/** Sorts the named sources first, in that order. Throws an Error if a name is that of no source. */
function sortSources<Source extends FeedSource>(sources: readonly Source[], priority: readonly string[]): Source[] {
  for (const name of priority) {
    if (sources.every((source) => source.name !== name)) {
      throw new Error(`SPOTLINE_SOURCE_PRIORITY names ${name}, which no feed has.`);
    }
  }
  const rank = ({ name }: FeedSource) => (priority.includes(name) ? priority.indexOf(name) : priority.length);
  return [...sources].sort((a, b) => rank(a) - rank(b));
}
