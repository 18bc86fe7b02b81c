import { paymentCode, signCode } from '../code/client-code.ts'
import { curlGet } from '../code/curl.ts'
import { LeavingButton } from '../parts/leaving-button.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { Fact, likeHash, likeSignature, likeUuid } from '../parts/reserved.tsx'
import { StepButton } from '../parts/step-button.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { approved, originRpc } from '../state/allowance.ts'
import { approval, approvalState, forgetApproval, sign, startPayment } from '../state/approval.ts'
import { chosenSide, isExpired, quote, side } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'
import { isRail } from '../state/transfer.ts'
import { chosenWallet, signer } from '../state/wallet.ts'
import { Allowance } from './allowance.tsx'

/** Lets the user approve the transfer by signing or paying. */
export function ApprovalStep() {
  const agree = isRail.value ? startPayment : sign
  const state = approvalState.value
  const isStale = quote.value === undefined || isLocked.value || isExpired.value
  const isDisabled =
    isStale || (!isRail.value && originRpc.value !== undefined && approved.value === undefined)
  const asked = state.status === 'loading' && !isRail.value ? chosenWallet.value : undefined
  const label = isRail.value ? 'Start a payment' : 'Sign the message'
  return (
    <StepFrame
      step="approval"
      intro={
        isRail.value
          ? 'A card or bank payment needs no signature. A random seed identifies the payment.'
          : 'The user approves the allowance on the origin chain, and signs the message of the quote.'
      }
      exchange={isRail.value ? paymentExchange() : signatureExchange()}
    >
      {!isRail.value && <Allowance isDisabled={isStale} />}
      {isRail.value ? <Payment /> : <Message />}
      <div class="actions">
        <StepButton step="approval" disabled={isDisabled} isBusy={state.status === 'loading'} onClick={agree}>
          {label}
        </StepButton>
        {asked !== undefined && <LeavingButton onClick={forgetApproval}>Cancel</LeavingButton>}
        <p class="hint" role="status">
          {asked && `Waiting for ${asked.name}.`}
        </p>
      </div>
      {state.status === 'failed' && <ProblemView problem={state.problem} />}
    </StepFrame>
  )
}

/** Shows the message to sign and its signature. */
function Message() {
  const signature = approval.value?.kind === 'signature' ? approval.value.value : undefined
  return (
    <>
      <blockquote class="message">{side.value?.message ?? 'The message comes with the quote.'}</blockquote>
      <dl class="facts">
        <Fact name="Signature" value={signature} like={likeSignature} />
      </dl>
    </>
  )
}

/** Shows the payment's ids at the payment provider and the service. */
function Payment() {
  const { value, transactionId } = approval.value ?? {}
  return (
    <>
      <dl class="facts">
        <Fact name="transactionIdSeed" value={value} like={likeUuid} />
        <Fact name="transactionId" value={transactionId} like={likeHash} />
      </dl>
      <p class="hint">
        The transactionId identifies the payment at the payment provider. Nobody pays here: the development
        network treats every payment as made.
      </p>
    </>
  )
}

function paymentExchange() {
  const seed = approval.value?.kind === 'payment' ? approval.value.value : 'SEED'
  return {
    curl: [
      '# a UUID of version 4; any source will do',
      curlGet('/uuid'),
      curlGet('/submit/transactionId', { transactionIdSeed: seed })
    ].join('\n'),
    client: paymentCode(chosenSide.value),
    response: /^GET \/submit\/transactionId\?/
  }
}

function signatureExchange() {
  return {
    curl: ['# The wallet approves and signs. The spender is the pool address:', curlGet('/chains/pool')].join(
      '\n'
    ),
    client: signCode(chosenSide.value, signer.value, originRpc.value),
    response: /^GET \/chains\/pool$/
  }
}
