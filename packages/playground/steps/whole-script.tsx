import { approvalCode, quoteCode, setUpCode, submitCode, watchCode } from '../code/client-code.ts'
import { Code } from '../parts/code.tsx'
import { baseUrl } from '../service.ts'
import { originRpc } from '../state/allowance.ts'
import { chosenSide, quoteRequest } from '../state/quote.ts'
import { isSwap } from '../state/transfer.ts'
import { signer } from '../state/wallet.ts'

export function WholeScript() {
  const script = [
    setUpCode(baseUrl),
    quoteCode(quoteRequest.value, signer.value === 'EVM'),
    approvalCode(chosenSide.value, signer.value, originRpc.value),
    submitCode(signer.value),
    watchCode(isSwap.value)
  ].join('\n\n')
  return (
    <section class="whole-script" aria-labelledby="whole-script-title">
      <div>
        <h2 id="whole-script-title">The whole program</h2>
        <p class="hint">All steps as one program.</p>
      </div>
      <details class="fold">
        <summary>The code with your choices</summary>
        <Code label="The whole program" code={script}>
          <span class="code-name">transfer.mjs</span>
        </Code>
      </details>
    </section>
  )
}
