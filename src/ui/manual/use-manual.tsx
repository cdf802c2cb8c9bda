import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import { freshId, withOp } from '../../core/workspace/scenario/edit';
import type { ScenarioOp, ScenarioOpName } from '../../core/workspace/scenario/types';
import type { Replay } from '../../core/workspace/types';
import { useApp, useView } from '../../state/react/app-context';
import type { ManualScenarios } from '../../state/react/use-scenarios';
import { clampStep } from '../../state/view';
import type { OpenLine } from '../../workers/api';
import { plural } from '../shared/format';
import { askedBlock, menuEntries, OPERATION_WORDS, titleOf, type AskedOperation, type MenuEntry } from './asked';
import { BlockMenu } from './BlockMenu';

const OperationDialog = lazy(() => import('./OperationDialog').then((module) => ({ default: module.OperationDialog })));

/** What panes need to act by hand. The same object until the scenarios or the one in use change. */
export interface ManualControls {
  scenarios: ManualScenarios;
  /** Opens the menu for blocks of a replay, at a place in the window. */
  menu: (replay: Replay, items: readonly number[], x: number, y: number) => void;
  /** Asks for one operation at the playhead. */
  ask: (replay: Replay, op: ScenarioOpName, items: readonly number[]) => void;
  askByLabel: () => void;
  undo: () => void;
  redo: () => void;
}

interface Menu { replay: Replay; items: readonly number[]; x: number; y: number; step: number }

/** Operations by hand over one open line: the controls, and the menu and dialog to be rendered once on the page. */
export function useManual(line: OpenLine, scenarios: ManualScenarios, budget: number): { controls: ManualControls; overlay: ReactNode; said: string } {
  const { view } = useApp();
  const policy = useView((state) => state.policy);
  const params = useView((state) => state.params);
  const [menu, setMenu] = useState<Menu | null>(null);
  const [asked, setAsked] = useState<AskedOperation | null>(null);
  const [said, setSaid] = useState('');
  const { desk, active, ops } = scenarios;
  const { steps } = line.facts;
  const labelsUpTo = (step: number): string[] => [...new Set(ops.flatMap((op) => (op.op === 'archive' && op.step <= step && op.label !== undefined && op.label !== '' ? [op.label] : [])))];
  const stepNow = useCallback(() => clampStep(view.getState().step, steps), [view, steps]);

  const openMenu = useCallback((replay: Replay, items: readonly number[], x: number, y: number) => {
    if (items.length > 0) setMenu({ replay, items, x, y, step: stepNow() });
  }, [stepNow]);
  const ask = useCallback((replay: Replay, op: ScenarioOpName, items: readonly number[]) => {
    setAsked({ op, step: stepNow(), byLabel: false, labels: [], blocks: items.map((item) => askedBlock(line, replay, item)) });
  }, [line, stepNow]);
  const askByLabel = useCallback(() => setAsked({ op: 'recover', step: stepNow(), byLabel: true, labels: [], blocks: [] }), [stepNow]);
  const id = active?.id ?? null;
  const undo = useCallback(() => {
    if (id === null) return;
    desk.undo(id);
    view.setState({ scenario: id });
    setSaid('Undone.');
  }, [desk, id, view]);
  const redo = useCallback(() => {
    if (id === null) return;
    desk.redo(id);
    view.setState({ scenario: id });
    setSaid('Done again.');
  }, [desk, id, view]);
  const controls = useMemo<ManualControls>(() => ({ scenarios, menu: openMenu, ask, askByLabel, undo, redo }), [scenarios, openMenu, ask, askByLabel, undo, redo]);

  const done = (op: ScenarioOp): void => {
    const target = id ?? desk.create('Scenario 1');
    desk.change(target, withOp(ops, { ...op, id: freshId(ops) }));
    view.setState((state) => ({
      policy: 'manual', params: state.policy === 'manual' ? state.params : {}, scenario: target,
      // What another policy made does not exist by hand.
      block: state.policy !== 'manual' && state.block !== null && 'made' in state.block ? null : state.block,
    }));
    setAsked(null);
    setSaid(`${OPERATION_WORDS[op.op]} at step ${op.step}: done. ${plural(ops.length + 1, 'operation')} in the scenario.`);
  };
  const choose = ({ op, byLabel }: MenuEntry): void => {
    if (menu === null) return;
    setMenu(null);
    if (byLabel) askByLabel();
    else ask(menu.replay, op, menu.items);
  };
  const overlay = (
    <>
      {menu !== null && <BlockMenu title={menu.items.length === 1 ? titleOf(line, menu.replay, menu.items[0] ?? 0) : `${plural(menu.items.length, 'block')} at step ${menu.step}`} entries={menuEntries(menu.replay, menu.items, menu.step, labelsUpTo(menu.step))} x={menu.x} y={menu.y} onChoose={choose} onClose={() => setMenu(null)} />}
      {asked !== null && (
        <Suspense fallback={null}>
          <OperationDialog line={line} asked={{ ...asked, labels: labelsUpTo(asked.step) }} ops={ops} params={policy === 'manual' ? params : {}} budget={budget} switchesFrom={policy === 'manual' ? null : policy} onDo={done} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  );
  return { controls, overlay, said };
}
