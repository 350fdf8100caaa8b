import { z } from 'zod';
import { countProblems } from '../judgement/problems.ts';
import { NEW_RHYTHM } from '../judgement/silence.ts';
import { countDevices } from '../judgement/step.ts';
import { finish } from '../judgement/steps.ts';
import { newTimes } from '../judgement/times.ts';
import { type Account, NEW_ACCOUNT, type SavedState } from '../model/account.ts';
import { NO_CAUSES } from '../model/cause.ts';
import { type Device, OTHER, RENTAL_STATUSES } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { type DeviceProblem, PROBLEMS, SILENT_PROBLEMS } from '../model/problem.ts';
import type { Rhythm } from '../model/rhythm.ts';

/*
 * The state file of versions 1 and 2, which kept since-whens, rhythms and problems of phones, and nothing else. It is read
 * once: the next save writes the present version.
 */

const instant = z.int().min(0).max(8.64e15);
const cents = z.int().optional();

const rhythm = z.object({
  typical: z.number().min(0),
  late: z.number().min(0).max(1),
  elapsed: z.number().min(0),
  today: z.array(z.number().min(0)),
  yesterday: z.array(z.number().min(0)),
});

const phone = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  status: z.enum([...RENTAL_STATUSES, OTHER]).optional(),
  since: z.number().min(0).optional(),
  problem: z
    .object({ problem: z.enum(PROBLEMS), since: z.number().min(0) })
    .optional()
    .catch(undefined),
  rhythm: rhythm.optional().catch(undefined),
});

const left = z.object({
  id: z.string(),
  label: z.string(),
  group: z.string(),
  listed: instant,
  removed: instant,
  silent: z.boolean(),
});

const state = z.object({
  saved_at: z.string(),
  accounts: z.array(
    z.object({
      name: z.string(),
      api_url: z.string(),
      balance: z.object({ available_cents: cents, pending_cents: cents }).optional(),
      left: z.array(left).default([]),
      phones: z.array(phone),
    }),
  ),
});

/** A decoded state file, or the part "got …, expected …" of the message that refuses it. */
export type DecodedState = SavedState | { readonly refusal: string };

/** Decodes the content of a file of version 1 or 2. */
export function decodeLegacy(json: unknown): DecodedState {
  const parsed = state.safeParse(json);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
    return { refusal: `got an invalid value at ${path}, expected a value that this program writes` };
  }
  const savedAt = Date.parse(parsed.data.saved_at) || 0;
  return {
    accounts: parsed.data.accounts.map((each) => ({
      identity: { name: each.name, apiUrl: each.api_url },
      goneAt: undefined,
      account: accountOf(each, savedAt),
    })),
    causes: NO_CAUSES,
  };
}

type LegacyAccount = z.output<typeof state>['accounts'][number];

function accountOf({ balance, left: gone, phones }: LegacyAccount, savedAt: number): Account {
  const devices = new Map(phones.map((each) => [each.id, deviceOf(each, savedAt)]));
  const problems = new Map<string, DeviceProblem>(
    phones.flatMap(({ id, problem }) =>
      problem === undefined ? [] : [[id, { problem: problem.problem, since: Math.round(problem.since) }]],
    ),
  );
  const amounts = { availableCents: balance?.available_cents, pendingCents: balance?.pending_cents };
  const still = { increaseCents: 0, decreaseCents: 0 };
  return {
    ...NEW_ACCOUNT,
    at: savedAt,
    fleet: {
      devices,
      ...finish(countDevices(devices)),
      absent: new Map(),
      left: new Map(
        gone.map(({ id, label, group, listed, removed, silent }) => [
          id,
          { label, group, lastListedAt: listed, removedAt: removed, wasSilent: silent },
        ]),
      ),
      departed: new Map(),
      reported: devices.size,
      apiTime: savedAt,
      clockShift: 0,
      isClockReset: false,
      dueIn: 0,
      slack: 0,
      listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false, suspect: false },
      unseen: [],
    },
    money:
      balance === undefined
        ? undefined
        : {
            balance: { ...amounts, totalCents: undefined },
            lastAmounts: amounts,
            observed: { available: still, pending: still },
          },
    judgement: { ...countProblems(devices, problems), problems, silenceJudgedAt: undefined, maintenance: [] },
  };
}

function deviceOf(
  { id, status, since, problem, rhythm: known }: z.output<typeof phone>,
  savedAt: number,
): FleetDevice {
  const silent = problem !== undefined && SILENT_PROBLEMS.has(problem.problem);
  // Its silence goes on if the heartbeat is the same: the one since when the problem lasts.
  const lastHeartbeatAt = silent ? Math.round(problem.since) : undefined;
  const rentalStatusSince = since && Math.round(since);
  const device: Device = {
    id,
    label: '',
    brand: '',
    model: '',
    appVersion: '',
    setupStatus: undefined,
    rentalStatus: status,
    marketplaceStatus: undefined,
    lastHeartbeatAt,
    selfRentStatus: undefined,
    rentalId: undefined,
    rotationStatus: undefined,
    rotationIntervalMilliseconds: undefined,
  };
  return {
    device,
    group: '',
    listedAt: savedAt,
    heartbeatAgeSeconds:
      lastHeartbeatAt === undefined ? undefined : Math.max(0, savedAt - lastHeartbeatAt) / 1000,
    outageSeconds: 0,
    rhythm: rhythmOf(known),
    silenceLimitSeconds: 0,
    silent,
    backAt: undefined,
    maintainedAt: undefined,
    rentalStatusSince,
    rentalStatusBeginSeen: false,
    times: newTimes({ device, listedAt: savedAt, rentalStatusSince, silent }),
    spells: [],
    rotationStoppedAt: problem?.problem === 'rotation_stopped' ? Math.round(problem.since) : undefined,
  };
}

function rhythmOf(known: z.output<typeof rhythm> | undefined): Rhythm {
  if (known === undefined || known.typical === 0) return NEW_RHYTHM;
  const { typical, late, elapsed, today, yesterday } = known;
  const longest = [today, yesterday].flatMap((gaps) =>
    gaps.length === 0 ? [] : [Math.ceil(Math.max(...gaps))],
  );
  return { usual: typical, late, over: 0, elapsed: Math.round(elapsed), longest };
}
