import { paymentCode, quoteCode, setUpCode, signCode, submitCode, watchCode } from '../code/client-code.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Folded } from '../parts/folded.tsx'
import { baseUrl } from '../service.ts'
import { originRpc } from '../state/allowance.ts'
import { chosenSide, quoteRequest } from '../state/quote.ts'
import { isRail, isSwap } from '../state/transfer.ts'
import { isEvmKey, signer } from '../state/wallet.ts'

/** Shows the complete script for integrators. */
export function WholeScript() {
  const side = chosenSide.value
  const script = [
    setUpCode(baseUrl),
    quoteCode(quoteRequest.value, isEvmKey.value),
    isRail.value ? paymentCode(side) : signCode(side, signer.value, originRpc.value),
    submitCode(isRail.value),
    watchCode(isSwap.value)
  ].join('\n\n')
  return (
    <section class="whole-script" aria-labelledby="whole-script-title">
      <div>
        <h2 id="whole-script-title">The whole program</h2>
        <p class="hint">All steps as one program, with your choices.</p>
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
