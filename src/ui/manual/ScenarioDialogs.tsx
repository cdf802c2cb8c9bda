import { useState } from 'react';
import { Dialog } from '../shared/Dialog';
import { plural } from '../shared/format';

export function NameDialog({ name, onName, onClose }: { name: string; onName: (name: string) => void; onClose: () => void }) {
  const [typed, setTyped] = useState(name);
  return (
    <Dialog title="Rename the scenario" onClose={onClose}>
      <form className="go-form" onSubmit={(event) => { event.preventDefault(); if (typed.trim() !== '') onName(typed); }}>
        <label className="field"><span className="muted">Name</span><input type="text" value={typed} maxLength={200} onChange={(event) => setTyped(event.target.value)} /></label>
        <button type="submit" className="primary" disabled={typed.trim() === ''}>Rename</button>
      </form>
    </Dialog>
  );
}

export function ConfirmDelete({ name, operations, onDelete, onClose }: { name: string; operations: number; onDelete: () => void; onClose: () => void }) {
  return (
    <Dialog title="Delete the scenario" onClose={onClose}>
      <p>“{name}” with {plural(operations, 'operation')} is deleted from this browser. That cannot be undone; export it first to keep it.</p>
      <p className="menu-actions"><button type="button" data-autofocus="" onClick={onClose}>Keep</button><button type="button" className="primary" onClick={onDelete}>Delete</button></p>
    </Dialog>
  );
}
