import { submitCode } from '../code/client-code.ts'
import { curlPost } from '../code/curl.ts'
import { Facts } from '../parts/facts.tsx'
import { HashLink } from '../parts/hash-link.tsx'
import { LeavingButton } from '../parts/leaving-button.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepButton } from '../parts/step-button.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { approval } from '../state/approval.ts'
import { ownExplorer } from '../state/catalogue.ts'
import { isExpired } from '../state/quote.ts'
import {
  body,
  isLocked,
  isSwapBody,
  progress,
  stopSubmitting,
  submissionState,
  submit,
  submitted
} from '../state/submission.ts'
import { signer } from '../state/wallet.ts'
import { Faults } from './faults.tsx'

/** Lets the user submit the transfer, which the chain executes exactly once. */
export function SubmissionStep() {
  const state = submissionState.value
  const { submissionId, transactionHash, height, txId } = submitted.value ?? {}
  const canSubmit = isLocked.value || (approval.value !== undefined && !isExpired.value)
  return (
    <StepFrame
      step="submission"
      intro="The response comes once the transfer is in a block. Sending the same body again is always safe: it is one transfer."
      exchange={{
        curl: curlPost(isSwapBody.value ? '/submit/swap' : '/submit/transfer', body.value ?? {}),
        client: submitCode(signer.value),
        response: /^POST \/submit\//
      }}
    >
      <Facts
        rows={[
          ['Submission', submissionId],
          ['Transaction', <HashLink key="hash" hash={transactionHash} explorer={ownExplorer.value} />],
          ['Block', height],
          ['txId', txId]
        ]}
      />
      <div class="actions">
        <StepButton
          step="submission"
          disabled={!canSubmit}
          isBusy={state.status === 'loading'}
          onClick={submit}
        >
          {label()}
        </StepButton>
        {state.status === 'loading' && <LeavingButton onClick={stopSubmitting}>Stop</LeavingButton>}
      </div>
      <Progress />
      {state.status === 'failed' && <ProblemView step="submission" problem={state.problem} />}
      <Faults isDisabled={!canSubmit || isLocked.value} />
    </StepFrame>
  )
}

function label(): string {
  if (submissionState.value.status === 'loading') return 'Submitting'
  return isLocked.value ? 'Send the same body again' : 'Submit'
}

function Progress() {
  const { status } = submissionState.value
  const state = status === 'loading' ? progress.value : undefined
  return (
    <p class="hint progress" role="status">
      {state?.status === 'waiting' && `${state.error.code}: ${state.error.message}. `}
      {status === 'loading' && (waits[state?.status ?? ''] ?? 'Waiting for its block')}
    </p>
  )
}

const waits: Readonly<Record<string, string>> = {
  waiting: 'The client sends the same body again.',
  queued: 'Accepted, waiting for a transaction',
  broadcast: 'In a transaction, waiting for its block'
}
