import { watchCode } from '../code/client-code.ts'
import { curlGet } from '../code/curl.ts'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { after, approved } from '../state/allowance.ts'
import { startOver } from '../state/flow.ts'
import { isSwapBody } from '../state/submission.ts'
import {
  isEnded,
  isFailed,
  isUnwatchable,
  record,
  startWatching,
  watched,
  watchState
} from '../state/watch.ts'
import { Timeline } from './timeline.tsx'
import { Webhooks } from './webhooks.tsx'

export function StatusStep() {
  const { txId, isSwap = isSwapBody.value } = watched.value ?? {}
  const state = watchState.value
  const path = `/${isSwap ? 'swap_tx' : 'tx'}/${txId ?? 'TX_ID'}`
  return (
    <StepFrame
      step="status"
      intro="The status changes as the transfer progresses. The service sends each change; polling once a second works too."
      exchange={{
        curl: [
          '# each change as an event',
          curlGet(`${path}/events`).replace('curl', 'curl --no-buffer'),
          '',
          '# the status now',
          curlGet(`${path}/status`)
        ].join('\n'),
        client: watchCode(isSwap),
        response: /^GET \/(swap_)?tx\//
      }}
    >
      <div class="columns">
        <div>
          <Timeline />
          {isFailed.value && record.value?.failreason && (
            <p class="note failed">
              <b>Reason:</b> {record.value.failreason}
            </p>
          )}
        </div>
        <Webhooks txId={txId} />
      </div>
      {isUnwatchable.value && (
        <p class="hint">The transfer is executed, but its txId is unknown, so there is nothing to watch.</p>
      )}
      <Balances />
      {state.status === 'failed' && (
        <ProblemView
          step="status"
          problem={state.problem}
          again={{ label: 'Watch again', run: startWatching }}
        />
      )}
      <div class="actions">
        <button
          type="button"
          class={isEnded.value ? 'primary' : 'secondary'}
          disabled={!isEnded.value}
          onClick={startOver}
        >
          Start another transfer
        </button>
      </div>
    </StepFrame>
  )
}

/** Shows the user's tokens on both chains before and after the transfer, where the server has a node. */
function Balances() {
  return approved.value?.before.map(
    (amount, index) =>
      amount !== undefined && (
        <p class="note" key={index === 0 ? 'origin' : 'target'}>
          {index === 0 ? 'The payer’s balance: ' : 'The balance of the target address: '}
          <b>{amount}</b> before, <b>{after.value[index] ?? '…'}</b> after
        </p>
      )
  )
}
