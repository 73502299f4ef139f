import type { Feed } from "@/lib/feeds/feed";
import type { TlsTrust, VenueTimes } from "@/lib/feeds/live/connector";
import { createLiveFeed, type LiveContext, type LiveFeedOptions } from "@/lib/feeds/live/live-feed";
import { openStreamWire } from "@/lib/feeds/live/stream-wire";
import { FixProtocol, type FixRequest } from "@/lib/feeds/venues/fix/fix-protocol";
import { type Profile, PROFILES } from "@/lib/feeds/venues/fix/profiles";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

type Optional<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

/** What the operator may set; the rest is that of the profile. */
export interface FixSettings extends Optional<Profile> {
  readonly profile: keyof typeof PROFILES;
  readonly senderCompId?: string | undefined;
}

export interface FixFeedOptions extends LiveContext, TlsTrust, Pick<LiveFeedOptions, "prices"> {
  /** The source's name. */
  readonly name: string;
  readonly settings: FixSettings;
  readonly user: string;
  readonly password: string;
  /** In the venue's spelling: its numbers, unless the form of symbols is "name". */
  readonly symbols: readonly string[];
  readonly times?: VenueTimes;
}

/** Creates the feed of a venue with FIX 4.4 market data. Throws a readable Error if the settings cannot work. */
export function createFixFeed(options: FixFeedOptions): Feed {
  const { name, ca } = options;
  const profile = completeProfile(options.settings);
  const { host, port, tls } = profile;
  if (host === undefined || port === undefined) throw new Error(`The source ${name} needs host and port.`);
  const request = createRequest(options, profile);
  return createLiveFeed({
    ...options,
    times: options.times ?? {
      // The session's own TestRequest comes first.
      silenceMs: Math.max(4 * request.heartbeatSeconds * SECOND_MS, 20 * SECOND_MS),
      retryMs: 5 * SECOND_MS,
      maxRetryMs: 2 * MINUTE_MS,
    },
    secrets: () => [options.user, options.password],
    openWire: openStreamWire({ host, port, tls, ca }),
    createProtocol: (connection) => new FixProtocol(connection, request),
  });
}

function completeProfile(settings: FixSettings): Profile {
  const own = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...PROFILES[settings.profile], ...Object.fromEntries(own) };
}

function createRequest({ name, settings, user, password, symbols }: FixFeedOptions, profile: Profile): FixRequest {
  const { targetCompId, symbolForm } = profile;
  const senderCompId = settings.senderCompId ?? (settings.profile === "lmax" ? user : undefined);
  if (senderCompId === undefined) throw new Error(`The source ${name} needs senderCompId, your name at the venue.`);
  if (targetCompId === undefined) throw new Error(`The source ${name} needs targetCompId, the venue's name.`);
  if (symbols.length === 0) {
    throw new Error(`The source ${name} needs symbols in the venue's spelling, and aliases where they are numbers.`);
  }
  const wrong = symbols.find((symbol) => !(symbolForm === "name" ? /^[\x20-\x7e]+$/ : /^\d+$/).test(symbol));
  if (wrong !== undefined) {
    const hint = symbolForm === "name" ? "cannot be sent" : "is not a number of the venue";
    throw new Error(`The source ${name} has the symbol ${wrong}, which ${hint}.`);
  }
  if ([user, password].some((secret) => secret.includes("\x01"))) {
    throw new Error(`The user or password of the source ${name} cannot be sent.`);
  }
  return {
    ...{ ...profile, senderCompId, targetCompId },
    ...{ symbols: [...new Set(symbols)], user, password },
  };
}
