import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { playScript } from "@/lib/feeds/venues/fix/fix.fixture";

/**
 * The session scripts that the QuickFIX project publishes for FIX 4.4, which are not part of this project. They test the
 * side that is logged on to. Both sides have the same rules after the logon, so the session is driven as that side.
 */

const DICTIONARY = "a client does not check a venue's fields against a list: every venue has fields of its own";
const ORDERS = "it needs application messages that are stored and sent again, and requests for prices never are";
const SEVERAL = "it is about several connections to a server";

const LEFT_OUT: Readonly<Record<string, string>> = {
  "14a_BadField": DICTIONARY,
  "14b_RequiredFieldMissing": DICTIONARY,
  "14c_TagNotDefinedForMsgType": DICTIONARY,
  "14d_TagSpecifiedWithoutValue": DICTIONARY,
  "14e_IncorrectEnumValue": DICTIONARY,
  "14f_IncorrectDataFormat": DICTIONARY,
  "14g_HeaderBodyTrailerFieldsOutOfOrder": DICTIONARY,
  "14h_RepeatedTag": DICTIONARY,
  "14i_RepeatingGroupCountNotEqual": DICTIONARY,
  "19a_PossResendMessageThatHAsAlreadyBeenSent": "it is about orders that must not be executed twice",
  "1b_DuplicateIdentity": SEVERAL,
  "1d_InvalidLogonBadSendingTime": "a wrong clock is reported, and the intake judges the age of prices",
  "20_SimultaneousResendRequest": ORDERS,
  "2m_BodyLengthValueNotCorrect": "after a wrong length, it wants the next message to be lost as well",
  "2o_SendingTimeValueOutOfRange": "a wrong clock is reported, and the intake judges the age of prices",
  "2q_MsgTypeNotValid": "a client ignores what it did not ask for",
  "2r_UnregisteredMsgType": "a client ignores what it did not ask for",
  "8_AdminAndApplicationMessages": ORDERS,
  "8_OnlyApplicationMessages": ORDERS,
  AlreadyLoggedOn: SEVERAL,
  RejectResentMessage: DICTIONARY,
  ReverseRoute: DICTIONARY,
  ReverseRouteWithEmptyRoutingTags: DICTIONARY,
};

const root = findRealData();
const dir = root === undefined ? undefined : join(root, "feeds/fix44_session_scripts");
const names =
  dir !== undefined && existsSync(dir)
    ? readdirSync(dir).flatMap((file) => (file.endsWith(".def") ? [file.slice(0, -4)] : []))
    : [];

if (root !== undefined && names.length === 0)
  process.stderr.write(`\n*** SKIPPED: no session scripts at ${dir} ***\n\n`);

test.skipIf(names.length === 0)("Every published script is played, or left out for a reason", () => {
  expect(names.length).toBe(59);
  expect(Object.keys(LEFT_OUT).filter((name) => !names.includes(name))).toEqual([]);
});

for (const name of names.filter((each) => !Object.hasOwn(LEFT_OUT, each))) {
  test(`The session follows the published script ${name}`, () => {
    playScript(readFileSync(join(dir ?? "", `${name}.def`), "latin1"));
  });
}
