import type { SubmitState } from '../../client/index.ts'
import { ProblemView } from '../parts/problem-view.tsx'
import { problemOf } from '../service.ts'
import { progress, submissionState, times } from '../state/submission.ts'

/** Shows the progress of the submission. */
export function Progress() {
  const isUnderWay = submissionState.value.status === 'loading'
  const state = isUnderWay ? progress.value : undefined
  return (
    <>
      <p class="hint progress" role="status">
        {isUnderWay ? describe(state) : summary()}
      </p>
      {state?.status === 'waiting' && <ProblemView problem={problemOf(state.error)} isOfSubmission />}
    </>
  )
}

function describe(state: SubmitState | undefined): string {
  if (state?.status === 'waiting')
    return `Attempt ${state.attempt} failed. The client sends the same body again.`
  if (state?.status === 'queued') return 'Accepted, waiting for a transaction'
  if (state?.status === 'broadcast') return 'In a transaction, waiting for its block'
  return 'Waiting for its block'
}

function summary(): string {
  const isDone = submissionState.value.status === 'ready'
  return isDone && times.value > 1 ? `Sent ${times.value} times, executed once: the result is the same.` : ''
}
