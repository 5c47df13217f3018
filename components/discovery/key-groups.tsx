"use client";

import type { DiscoveryAnswer } from "@/lib/contract";
import { Cell, ColumnHead, Table } from "../ui/table";
import { useIsNarrow } from "../ui/use-is-narrow";
import { Covered, GroupName, GroupNumbers, LooksLike, Why } from "./key-group-cells";

type Props = {
  readonly groups: DiscoveryAnswer["groups"];
  /** No patterns are set: every key is read, so that to say it of each group would say nothing. */
  readonly isEverythingRead: boolean;
};

/** The groups, those that look like locks first: a table, or cards where a table has no room. */
export function KeyGroups(props: Props) {
  return useIsNarrow() ? <GroupCards {...props} /> : <GroupTable {...props} />;
}

function GroupTable({ groups, isEverythingRead }: Props) {
  return (
    <Table caption="Groups of keys and whether they look like locks">
      <thead>
        <tr>
          <ColumnHead>Keys</ColumnHead>
          <ColumnHead>Locks?</ColumnHead>
          <ColumnHead>Why</ColumnHead>
          {!isEverythingRead && <ColumnHead>Read now</ColumnHead>}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={`${group.type} ${group.pattern}`} className="border-line border-b align-top last:border-b-0">
            <Cell isWrapping className="w-2/5 align-top">
              <GroupName group={group} />
              <GroupNumbers group={group} />
            </Cell>
            <Cell isWrapping className="align-top">
              <LooksLike group={group} />
            </Cell>
            <Cell isWrapping className="align-top">
              <Why group={group} />
            </Cell>
            {!isEverythingRead && (
              <Cell className="align-top">
                <Covered group={group} />
              </Cell>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function GroupCards({ groups, isEverythingRead }: Props) {
  return (
    <ul className="divide-y divide-line">
      {groups.map((group) => (
        <li key={`${group.type} ${group.pattern}`} className="grid gap-1.5 py-3">
          <LooksLike group={group} />
          <GroupName group={group} />
          <GroupNumbers group={group} />
          <Why group={group} />
          {!isEverythingRead && (
            <p className="text-[13px]">
              <span className="text-mute">Read now: </span>
              <Covered group={group} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
