import { approvalCode } from '../code/client-code.ts'
import { curlGet, curlPost } from '../code/curl.ts'
import { Facts } from '../parts/facts.tsx'
import { LeavingButton } from '../parts/leaving-button.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepButton } from '../parts/step-button.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { approved, originRpc } from '../state/allowance.ts'
import {
  approval,
  approvalState,
  forgetApproval,
  lock,
  lockBitcoins,
  sign,
  startPayment
} from '../state/approval.ts'
import { chosenSide, isExpired, quote, side } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'
import { chosenWallet, signer } from '../state/wallet.ts'
import { Allowance } from './allowance.tsx'

const signature = {
  label: 'Sign the message',
  agree: sign,
  intro: 'The user approves the allowance on the origin chain, and signs the message of the quote.',
  facts: () => [['Signature', approval.value?.signature] as const],
  hint: undefined,
  curl: () => `# The wallet approves and signs. The spender is the pool address:\n${curlGet('/chains/pool')}`,
  response: /^GET \/chains\/pool$/
}

const payment = {
  label: 'Start a payment',
  agree: startPayment,
  intro: 'A card or bank payment needs no signature. A random seed identifies the payment.',
  facts: () => [
    ['transactionIdSeed', approval.value?.transactionIdSeed] as const,
    ['transactionId', approval.value?.transactionId] as const
  ],
  hint: 'The transactionId identifies the payment at the payment provider. Nobody pays here: the development network treats every payment as made.',
  curl: () => {
    const { transactionIdSeed = 'SEED' } = approval.value ?? {}
    const request = curlGet('/submit/transactionId', { transactionIdSeed })
    return `# a UUID of version 4; any source will do\n${curlGet('/uuid')}\n${request}`
  },
  response: /^GET \/submit\/transactionId\?/
}

const bitcoins = {
  label: 'Lock the bitcoins',
  agree: lockBitcoins,
  intro: 'The user locks the allowance for the pool. A confirmed lock stands for approval and signature.',
  facts: () => [['htlcAddress', lock.value.htlcAddress] as const, ['txid', lock.value.txid] as const],
  hint: 'The user’s wallet sends the allowance to the htlcAddress. Here the faucet of the development network does.',
  curl: () => {
    const { lockId = 'LOCK_ID', txid = 'TXID' } = lock.value
    return curlPost('/btc/htlc/record', { lockId, txid })
  },
  response: /^POST \/btc\/htlc\//
}

/** Lets the user approve the transfer by signing, paying or locking. */
export function ApprovalStep() {
  const means = signer.value === 'rail' ? payment : signer.value === 'BTC' ? bitcoins : signature
  const state = approvalState.value
  const isBusy = state.status === 'loading'
  const isStale = quote.value === undefined || isLocked.value || isExpired.value
  const isUnapproved = means === signature && originRpc.value !== undefined && approved.value === undefined
  const asked = signer.value === 'browser' ? `Waiting for ${chosenWallet.value?.name}.` : lock.value.message
  const waiting = isBusy ? asked : undefined
  const client = approvalCode(chosenSide.value, signer.value, originRpc.value)
  return (
    <StepFrame
      step="approval"
      intro={means.intro}
      exchange={{ curl: means.curl(), client, response: means.response }}
    >
      {means === signature && (
        <>
          <Allowance isDisabled={isStale} />
          <blockquote class="message">
            {side.value?.message ?? 'The message comes with the quote.'}
          </blockquote>
        </>
      )}
      <Facts rows={means.facts()} />
      {means.hint && <p class="hint">{means.hint}</p>}
      <div class="actions">
        <StepButton step="approval" disabled={isStale || isUnapproved} isBusy={isBusy} onClick={means.agree}>
          {means.label}
        </StepButton>
        {waiting && <LeavingButton onClick={forgetApproval}>Cancel</LeavingButton>}
        <p class="hint" role="status">
          {waiting}
        </p>
      </div>
      {state.status === 'failed' && <ProblemView step="approval" problem={state.problem} />}
    </StepFrame>
  )
}
