import { quoteCode } from '../code/client-code.ts'
import { curlGet } from '../code/curl.ts'
import { Facts } from '../parts/facts.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { getQuote, isExpired, now, quote, quoteRequest, quoteState } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'
import { signer } from '../state/wallet.ts'
import { FeeOptions } from './fee-options.tsx'
import { Fees } from './fees.tsx'

/** Shows the fees, and lets the user choose how to pay them. */
export function QuoteStep() {
  const state = quoteState.value
  return (
    <StepFrame
      step="quote"
      intro="A quote is valid for a few minutes, and for one transfer from a wallet. Its feeId later identifies the submission."
      exchange={{
        curl: [
          curlGet('/submit/fees', quoteRequest.value),
          '',
          '# before the user signs, if the service checks addresses',
          curlGet('/compliant', { address: quoteRequest.value.targetAddress })
        ].join('\n'),
        client: quoteCode(quoteRequest.value, signer.value === 'EVM'),
        response: /^GET \/submit\/fees\?/
      }}
    >
      {state.status === 'failed' && (
        <ProblemView step="quote" problem={state.problem} again={{ label: 'Ask again', run: getQuote }} />
      )}
      <div class="quote" aria-busy={state.status === 'loading'}>
        <div class="columns">
          <FeeOptions />
          <Fees />
        </div>
        <Facts rows={[['feeId', quote.value?.feeId]]} />
        <Countdown />
      </div>
    </StepFrame>
  )
}

function Countdown() {
  const { expiresAt } = quote.value ?? {}
  if (quote.value === undefined) return <p class="countdown muted">Expires —</p>
  if (isLocked.value) return <p class="countdown muted">This quote is used by the submission.</p>
  if (expiresAt === undefined) return <p class="countdown muted">This quote has no expiry time.</p>
  if (isExpired.value) {
    return (
      <p class="countdown expired" role="alert">
        The quote has expired.{' '}
        <button type="button" class="link" onClick={getQuote}>
          Get a new one
        </button>
      </p>
    )
  }
  const seconds = Math.max(0, Math.ceil((expiresAt.getTime() - now.value) / 1000))
  return (
    <p class="countdown muted" role="timer">
      Expires in{' '}
      <b>
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </b>
    </p>
  )
}
