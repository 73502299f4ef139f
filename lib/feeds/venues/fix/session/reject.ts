import type { FixMessage } from "@/lib/feeds/venues/fix/messages/fix-message";
import { TAG } from "@/lib/feeds/venues/fix/messages/tags";
import type { FixField } from "@/lib/feeds/venues/fix/messages/write-message";

/** SessionRejectReason (373), with the texts of the specification. */
const REJECTS = {
  invalidTag: [0, "Invalid tag number"],
  missingTag: [1, "Required tag missing"],
  wrongValue: [5, "Value is incorrect (out of range) for this tag"],
  wrongCompId: [9, "CompID problem"],
  wrongTime: [10, "SendingTime accuracy problem"],
} as const;

export type RejectReason = keyof typeof REJECTS;

/** The fields of a Reject of a message, for one of its fields where that is the reason. */
export function listRejectFields(message: FixMessage, reason: RejectReason, tag?: number): FixField[] {
  const [code, text] = REJECTS[reason];
  return [
    [TAG.refSeqNum, message.number || 0],
    [TAG.text, text],
    ...(tag === undefined ? [] : [[TAG.refTagId, tag] as const]),
    [TAG.refMsgType, message.type],
    [TAG.sessionRejectReason, code],
  ];
}
