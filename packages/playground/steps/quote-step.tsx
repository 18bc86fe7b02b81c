import { quoteCode } from '../code/client-code.ts'
import { curlGet } from '../code/curl.ts'
import { Countdown } from '../parts/countdown.tsx'
import { ProblemView } from '../parts/problem-view.tsx'
import { likeUuid, Reserved } from '../parts/reserved.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { getQuote, quote, quoteRequest, quoteState } from '../state/quote.ts'
import { isEvmKey } from '../state/wallet.ts'
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
        client: quoteCode(quoteRequest.value, isEvmKey.value),
        response: /^GET \/submit\/fees\?/
      }}
    >
      {state.status === 'failed' && (
        <ProblemView problem={state.problem} again={{ label: 'Ask again', run: getQuote }} />
      )}
      <div class="quote" aria-busy={state.status === 'loading'}>
        <div class="columns">
          <FeeOptions />
          <Fees />
        </div>
        <p class="fee-id">
          <span class="muted">feeId</span>
          <Reserved like={likeUuid}>
            <code>{quote.value?.feeId ?? '—'}</code>
          </Reserved>
        </p>
        <Countdown />
      </div>
    </StepFrame>
  )
}
