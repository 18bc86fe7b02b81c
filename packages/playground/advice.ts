// The bundler parses the document at build time: see scripts/bundle-playground.ts.
import byCode from '../../docs/errors.md'
import type { Problem } from './service.ts'
import type { Step } from './state/flow.ts'

/** Advice that is the same in each step. Most of these problems arise in the page or its client. */
const own: Readonly<Record<string, string>> = {
  NETWORK: 'Check that the server runs, and try again. A submission is executed only once.',
  UNREADABLE: 'Check the address of the server, and try again. A submission is executed only once.',
  NO_CHAINS: 'Check the chain filter, `SERVICE_CHAIN_FILTER`: it excludes every chain of the registry.',
  ABORTED: 'Send the same body again. If the submission was accepted, you get its result.',
  CHAIN_REJECTED:
    'Change the transfer in step 1, and get a new quote. The chain would refuse the same one again.',
  APPROVAL_MISSING: 'Approve the allowance in step 3, and send the same body again.',
  WALLET: 'Nothing was sent. Try again, or use the throw-away key.'
}

/** Advice by step, for requests that may succeed if they are repeated. */
const retries: Readonly<Record<Step, string>> = {
  transfer: 'Load the chains again.',
  quote: 'Ask again in a moment.',
  approval: 'Try this step again in a moment.',
  submission: 'Send the same body again: it is executed only once.',
  status: 'Watch again in a moment.'
}

/**
 * Returns advice for the user of this page and for an integrator's client, and whether the chain might have executed the
 * submission.
 */
export function adviceFor({ facts: { code, details, mayBeAccepted } }: Problem, step: Step) {
  const { retry, whatToDo, executed } = byCode[code] ?? {}
  const isPerhaps = mayBeAccepted || executed === 'perhaps' || (executed === undefined && code !== 'ABORTED')
  const here = () => {
    if (own[code] !== undefined) return own[code]
    if (step === 'submission' && isPerhaps) return retries.submission
    if (step === 'status' && retry === 'never')
      return 'Check the id in the address bar, or start another transfer.'
    if (retry === 'same' || retry === 'later') return retries[step]
    if (retry === 'new quote') return 'Get a new quote in step 1, and approve it.'
    return details?.length
      ? 'Correct the field in step 1, and get a quote.'
      : 'Change the transfer in step 1, and get a quote.'
  }
  return { here: here(), inClient: whatToDo, canRetry: retry !== 'never', isPerhaps }
}
