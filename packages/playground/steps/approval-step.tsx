import { paymentCode, signCode } from '../code/client-code.ts'
import { curlGet } from '../code/curl.ts'
import { LeavingButton } from '../parts/leaving-button.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepButton } from '../parts/step-button.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { approval, approvalState, forgetApproval, sign, startPayment } from '../state/approval.ts'
import { chosenSide, isExpired, quote } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'
import { isRail } from '../state/transfer.ts'
import { chosenWallet, signer } from '../state/wallet.ts'
import { Allowance } from './allowance.tsx'
import { Message } from './message.tsx'
import { Payment } from './payment.tsx'

/** Lets the user approve the transfer by signing or paying. */
export function ApprovalStep() {
  const agree = isRail.value ? startPayment : sign
  const state = approvalState.value
  const isDisabled = quote.value === undefined || isLocked.value || isExpired.value
  const asked = state.status === 'loading' && !isRail.value ? chosenWallet.value : undefined
  const label = isRail.value ? 'Start a payment' : 'Sign the message'
  return (
    <StepFrame
      step="approval"
      intro={
        isRail.value
          ? 'A card or bank payment needs no signature. A random seed identifies the payment.'
          : 'The user signs the message of the quote, which states the amount, the token, the origin and the target.'
      }
      exchange={isRail.value ? paymentExchange() : signatureExchange()}
    >
      {isRail.value ? <Payment /> : <Message />}
      {!isRail.value && <Allowance />}
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
    curl: [
      '# Signing happens in the wallet and needs no request.',
      '# The user approves the allowance for this pool address:',
      curlGet('/chains/pool')
    ].join('\n'),
    client: signCode(chosenSide.value, signer.value),
    response: /^GET \/chains\/pool$/
  }
}
