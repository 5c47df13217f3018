import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Pips } from "@/components/locks/pips";
import { tokenHues } from "@/components/locks/token-hue";
import { clearBrowser, show } from "../../support/browser-rig";
import { lockView } from "../../support/view-fixtures";

afterEach(clearBrowser);

function kinds(container: HTMLElement) {
  return [...container.querySelectorAll("[data-pip], [data-quorum]")].map(
    (element) => element.getAttribute("data-pip") ?? "|",
  );
}

describe("the pips", () => {
  it("stand in node order, one look per reading, with the mark behind the quorum-th", () => {
    const { nodes } = lockView("at_risk", [["8f3a91c2", 1000], "-", "?", "!", ["8f3a91c2", 1000]]);
    const { container } = show(<Pips readings={nodes} holder="8f3a91c2" />);
    expect(kinds(container)).toEqual(["token", "free", "unknown", "|", "foreign", "token"]);
  });

  it("say in words what they show", () => {
    const { nodes } = lockView("at_risk", [["8f3a91c2", 1000], "-", "?", "!", "-"]);
    show(<Pips readings={nodes.map((node) => ({ ...node, quarantined: node.node === "e" }))} holder="8f3a91c2" />);
    const text = "a holds 8f3a91c2; b free; c unknown; d has a foreign key; e free, quarantined";
    expect(screen.getByRole("img", { name: text })).toBeTruthy();
  });

  it("give two tokens of one lock different hues, whatever their fingerprints", () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const hues = [...tokenHues([`${seed}`, `${seed + 8}`, `${seed + 16}`]).values()];
      expect(new Set(hues).size).toBe(3);
    }
  });

  it("keep one node without a mark: there is no line inside of one", () => {
    const { nodes } = lockView("held", [["8f3a91c2", 1000]]);
    const { container } = show(<Pips readings={nodes} holder="8f3a91c2" />);
    expect(kinds(container)).toEqual(["token"]);
  });
});
