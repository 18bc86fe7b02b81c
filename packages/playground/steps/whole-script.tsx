import { wholeScript } from '../code/script.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Folded } from '../parts/folded.tsx'
import { baseUrl } from '../service.ts'
import { chosenSide, quoteRequest } from '../state/quote.ts'
import { isRail, isSwap } from '../state/transfer.ts'
import { isEvmKey } from '../state/wallet.ts'

/** What an integrator leaves with. */
export function WholeScript() {
  const script = wholeScript({
    baseUrl,
    request: quoteRequest.value,
    side: chosenSide.value,
    isSwap: isSwap.value,
    agreement: isRail.value ? 'payment' : isEvmKey.value ? 'key' : 'wallet'
  })
  return (
    <section class="whole-script" aria-labelledby="whole-script-title">
      <div>
        <h2 id="whole-script-title">Take it along</h2>
        <p class="hint">All five steps as one program for Node, with what you have chosen.</p>
      </div>
      <figure class="code" aria-label="The whole program">
        <div class="code-bar">
          <span class="code-name">transfer.mjs</span>
          <CopyButton text={script} label="Copy the whole program" />
        </div>
        <Folded code={script} of="the whole program" />
      </figure>
    </section>
  )
}
