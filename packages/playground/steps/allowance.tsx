import { tokens } from '../code/amount.ts'
import { Code } from '../parts/code.tsx'
import { HashLink } from '../parts/hash-link.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepButton } from '../parts/step-button.tsx'
import { allowanceState, approve, approved, originRpc, tokenApproval } from '../state/allowance.ts'
import { side } from '../state/quote.ts'
import { transfer } from '../state/transfer.ts'

/** Moves the focus to the next button, because the pressed one is disabled once the allowance is approved. */
const focusOnSign = () =>
  requestAnimationFrame(() => {
    if (approved.value !== undefined)
      document.querySelector<HTMLElement>('#approval .actions button')?.focus()
  })

/** Lets the user approve the allowance, which must be in a block before the submission (interface 16.3). */
export function Allowance({ isDisabled }: { isDisabled: boolean }) {
  const { originChain, originSymbol } = transfer
  const { spender, ...approval } = tokenApproval.value ?? { family: undefined }
  const amount = side.value && tokens(side.value.allowanceAmount, originSymbol.value)
  const state = allowanceState.value
  const request = approval.family === 'EVM' && approval.transactions(`0x${'0'.repeat(64)}`)[0]
  return (
    <div class="note">
      <p>
        The user approves <b>{amount ?? '—'}</b> on {originChain.value} for{' '}
        <code class="address">{spender ?? '—'}</code>.{' '}
        {originRpc.value === undefined && (
          <b>This server has no node of {originChain.value}, so no tokens move and nothing is approved.</b>
        )}
      </p>
      {originRpc.value !== undefined && (
        <>
          {request && (
            <details class="fold">
              <summary>What the wallet sends to approve it</summary>
              <Code label="The approval" code={JSON.stringify(request, null, 2)}>
                <span class="code-name">the call</span>
              </Code>
            </details>
          )}
          <StepButton
            step="approval"
            disabled={isDisabled || approved.value !== undefined}
            isBusy={state.status === 'loading'}
            onClick={() => approve().then(focusOnSign)}
          >
            Approve the allowance
          </StepButton>
          {approved.value?.hashes.map(hash => (
            <p key={hash}>
              Transaction <HashLink hash={hash} explorer={undefined} />
            </p>
          ))}
        </>
      )}
      {state.status === 'failed' && <ProblemView step="approval" problem={state.problem} />}
    </div>
  )
}
