import type { Edit } from "./load-mutant";
import type { REAL_CHECKS } from "./real-stage";

/** What runs on the nodes with one rule taken out: only a real server can show it to be broken. */
export interface ScriptMutant {
  readonly name: string;
  readonly edit: Edit;
  readonly caughtBy: keyof typeof REAL_CHECKS;
}

const QUARANTINE = "untilAt = at + pauseFor(high)\n    forgetFences()\n    marked(redis.call)\n  elseif";

export const SCRIPT_MUTANTS: readonly ScriptMutant[] = [
  {
    name: "a waiter takes over whatever is there",
    edit: {
      file: "redis/queue-scripts.ts",
      find: "local isOwn = own and kind == 'string' and holds(KEYS[1], own)",
      replace: "local isOwn = kind == 'string'",
    },
    caughtBy: "those who queue leave keys of others alone",
  },
  {
    name: "a hand-over without a look",
    edit: {
      file: "redis/queue-scripts.ts",
      find: "local isOwn = kind == 'string' and (holds(KEYS[1], ARGV[1]) or own and holds(KEYS[1], own))",
      replace: "local isOwn = kind == 'string'",
    },
    caughtBy: "those who queue leave keys of others alone",
  },
  {
    name: "a key is handed on without a look",
    edit: { file: "redis/queue-scripts.ts", find: "if kindOf(KEYS[1]) ~= 'none' then return 1 end\n", replace: "" },
    caughtBy: "those who queue leave keys of others alone",
  },
  {
    name: "a vote once given counts for ever",
    edit: { file: "redis/health.ts", find: "this.guard.takeVoted() && isRoutine", replace: "isRoutine" },
    caughtBy: "a node that voted and was emptied since is found out",
  },
  {
    name: "the dead are served",
    edit: {
      file: "redis/queue-scripts.ts",
      find: "if token and tonumber(aliveUntil) >= now then",
      replace: "if token then",
    },
    caughtBy: "a key goes past the dead",
  },
  {
    name: "a late acquire of a waiter counts",
    edit: {
      file: "redis/queue-scripts.ts",
      find: "if last and tonumber(last) > tonumber(round) then",
      replace: "if false then",
    },
    caughtBy: "late requests of a waiter change nothing",
  },
  {
    name: "a late release of a waiter counts",
    edit: {
      file: "redis/queue-scripts.ts",
      find: "if last and tonumber(last) > tonumber(ARGV[3]) then own = nil else forget(ARGV[2]) end",
      replace: "forget(ARGV[2])",
    },
    caughtBy: "late requests of a waiter change nothing",
  },
  {
    name: "no latest time of execution",
    edit: {
      file: "redis/admission.ts",
      find: "if tonumber(ARGV[3]) > 0 and at > tonumber(ARGV[3]) then return",
      replace: "if false then return",
    },
    caughtBy: "a vote asked too late is not given",
  },
  {
    name: "a latest time that never comes",
    edit: {
      file: "redis/server-time.ts",
      find: "Math.ceil(latest + limitMs) + 1;",
      replace: "Math.ceil(latest + limitMs) + 86_400_000;",
    },
    caughtBy: "a vote asked too late is not given",
  },
  {
    name: "a node without a marker is admitted",
    edit: { file: "redis/admission.ts", find: QUARANTINE, replace: QUARANTINE.replace("at + pauseFor(high)", "0") },
    caughtBy: "an empty node is kept out",
  },
  {
    name: "the marker alone is believed",
    edit: { file: "redis/admission.ts", find: "elseif run ~= runId then", replace: "elseif false then" },
    caughtBy: "a node that restarts with its old marker is kept out",
  },
  {
    name: "everysec counts as durable",
    edit: { file: "redis/facts.ts", find: 'fsync === "always"', replace: 'fsync !== "no"' },
    caughtBy: "a file that is synced every second proves nothing",
  },
  {
    name: "memberships are not compared",
    edit: { file: "redis/admission.ts", find: "if config ~= ARGV[6] then", replace: "if false then" },
    caughtBy: "clients with other lists of masters do not both win",
  },
  {
    name: "a quarantine is never cut",
    edit: { file: "redis/admission.ts", find: "if untilAt > at + pauseFor(high) then", replace: "if false then" },
    caughtBy: "a quarantine ends in spite of a clock that went back",
  },
  {
    name: "blind DEL in the script",
    edit: {
      file: "redis/verb-scripts.ts",
      find: "if holds(KEYS[index], token) then",
      replace: "if kindOf(KEYS[index]) == 'string' then",
    },
    caughtBy: "keys of others are left alone",
  },
  {
    name: "blind PEXPIRE in the script",
    edit: {
      file: "redis/verb-scripts.ts",
      find: "elseif kind ~= 'string' or not holds(KEYS[index], token) then",
      replace: "elseif kind ~= 'string' then",
    },
    caughtBy: "keys of others are left alone",
  },
  {
    name: "extension by SET",
    edit: {
      file: "redis/verb-scripts.ts",
      find: "redis.call('PEXPIRE', KEYS[index], ttl)",
      replace: "redis.call('SET', KEYS[index], token, 'PX', ttl)",
    },
    caughtBy: "a node out of memory extends what it has",
  },
  {
    name: "fence written back whoever holds the lock",
    edit: {
      file: "redis/fence-scripts.ts",
      find: "elseif kind ~= 'string' or not holds(KEYS[index], ARGV[1]) then",
      replace: "elseif kind ~= 'string' then",
    },
    caughtBy: "a fence is raised only for the holder",
  },
  {
    name: "a node without counters begins at 0",
    edit: {
      file: "redis/fence-scripts.ts",
      find: "  return nil\nend\nlocal function issue(",
      replace: "  return 0, 0\nend\nlocal function issue(",
    },
    caughtBy: "a node without counters issues no fence",
  },
];
