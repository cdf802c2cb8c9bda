import { useJobs } from '../../state/react/app-context';
import type { Job } from '../../state/jobs';
import type { Progress } from '../../workers/api';
import { bytes, count, seconds } from '../shared/format';
import './progress.css';

/**
 * Long work in hand. Floats as cards over the opening screen; on the run page it is a line of its own at the bottom,
 * always there, so that nothing is covered and nothing moves when work begins or ends.
 */
export function ProgressRegion({ bar, without }: { bar: boolean; /** A job that the page itself shows. */ without?: string }) {
  const all = useJobs((state) => state.jobs);
  const jobs = all.filter((job) => job.name !== without);
  return (
    <div className={bar ? 'progress progress-line' : 'progress progress-cards'} role="status" aria-label="Progress">
      {jobs.map((job) => <JobRow key={job.id} job={job} />)}
      {bar && jobs.length === 0 && <span className="muted small">Nothing running · everything stays in this browser</span>}
    </div>
  );
}

function JobRow({ job }: { job: Job }) {
  const { progress } = job;
  const known = Number.isFinite(progress.total) && progress.total > 0;
  const share = known ? Math.min(1, progress.done / progress.total) : 0;
  return (
    <div className="job">
      <span className="job-label cut" title={progress.label}>{progress.label}</span>
      <button type="button" className="quiet" onClick={job.cancel} disabled={job.cancelling} aria-label={`Cancel ${progress.label}`}>{job.cancelling ? 'Cancelling…' : 'Cancel'}</button>
      <progress className="job-bar" max={1} value={known ? share : undefined} aria-label={progress.label} />
      <span className="job-facts muted small">{facts(progress, job.startedMs, Date.now())}</span>
    </div>
  );
}

/** "12 MB of 200 MB · 34 MB/s · 1 204 records · 6 s left". */
export function facts(progress: Progress, startedMs: number, nowMs: number): string {
  const amount = (value: number): string => (progress.unit === 'bytes' ? bytes(value) : `${count(value)} ${progress.unit}`);
  const known = Number.isFinite(progress.total) && progress.total > 0;
  const elapsed = (nowMs - startedMs) / 1000;
  const rate = elapsed > 0.5 && progress.done > 0 ? progress.done / elapsed : NaN;
  const left = progress.secondsLeft ?? (known && Number.isFinite(rate) ? (progress.total - progress.done) / rate : NaN);
  const parts: string[] = [];
  if (progress.done > 0 || known) parts.push(known ? `${progress.unit === 'bytes' ? bytes(progress.done) : count(progress.done)} of ${amount(progress.total)}` : amount(progress.done));
  if (Number.isFinite(rate)) parts.push(`${progress.unit === 'bytes' ? bytes(rate) : count(rate)}/s`);
  if (progress.detail) parts.push(progress.detail);
  if (Number.isFinite(left) && left > 0) parts.push(`${seconds(left)} left`);
  return parts.join(' · ') || 'starting';
}
