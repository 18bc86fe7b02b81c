import { computed } from '@preact/signals'
import { chainsCode, setUpCode } from '../code/client-code.ts'
import { curlGet } from '../code/curl.ts'
import { ProblemView } from '../parts/problem-view.tsx'
import { StepButton } from '../parts/step-button.tsx'
import { StepFrame } from '../parts/step-frame.tsx'
import { baseUrl } from '../service.ts'
import { catalogueState, loadCatalogue } from '../state/catalogue.ts'
import { getQuote, quoteState } from '../state/quote.ts'
import { isLocked } from '../state/submission.ts'
import { isRail, isSwap, transfer } from '../state/transfer.ts'
import { Ends } from './ends.tsx'
import { Payer } from './payer.tsx'

const hint = computed(() => {
  const [from, to] = [transfer.originSymbol.value, transfer.targetSymbol.value]
  if (isLocked.value) return 'This transfer was submitted and cannot be changed. Start another one in step 5.'
  return isSwap.value
    ? `${from} and ${to} are pegged to different currencies, so this is a swap, with its own route, /submit/swap.`
    : `${from} and ${to} are pegged to the same currency, so this is a transfer.`
})

export function TransferStep() {
  const { originChain, targetChain } = transfer
  const state = catalogueState.value
  return (
    <StepFrame
      step="transfer"
      intro="Chains, rails and tokens come from the service. Offer only what it lists."
      exchange={{
        curl: [
          curlGet('/chains'),
          '',
          `# the chains that can pay to ${targetChain.value}, and their tokens`,
          curlGet(`/chains/get_available_chains/${targetChain.value}`),
          curlGet(`/chains/get_currencies/${originChain.value}/${targetChain.value}`)
        ].join('\n'),
        client: `${setUpCode(baseUrl)}\n\n${chainsCode(targetChain.value, originChain.value)}`,
        response: /^GET \/chains$/
      }}
    >
      {state.status === 'failed' && (
        <ProblemView
          step="transfer"
          problem={state.problem}
          again={{ label: 'Load the chains again', run: loadCatalogue }}
        />
      )}
      <form
        onSubmit={async event => {
          event.preventDefault()
          await getQuote()
          // Wait until the page has rendered the error.
          requestAnimationFrame(() =>
            document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
          )
        }}
      >
        <fieldset
          class="form"
          disabled={isLocked.value || state.status !== 'ready'}
          aria-busy={state.status === 'loading'}
        >
          <legend class="visually-hidden">What to transfer</legend>
          {!isRail.value && <Payer />}
          <Ends />
          <p class="hint">{hint.value}</p>
          <StepButton step="transfer" type="submit" isBusy={quoteState.value.status === 'loading'}>
            {quoteState.value.status === 'ready' ? 'Get a new quote' : 'Get a quote'}
          </StepButton>
        </fieldset>
      </form>
    </StepFrame>
  )
}
