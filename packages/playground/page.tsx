import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { baseUrl } from './service.ts'
import { environment } from './state/catalogue.ts'
import { nextStep, steps } from './state/flow.ts'
import { isLocked } from './state/submission.ts'
import { choose, isChosen, isOffered, scenarios } from './state/transfer.ts'
import { ApprovalStep } from './steps/approval-step.tsx'
import { QuoteStep } from './steps/quote-step.tsx'
import { StatusStep } from './steps/status-step.tsx'
import { SubmissionStep } from './steps/submission-step.tsx'
import { TransferStep } from './steps/transfer-step.tsx'
import { WholeScript } from './steps/whole-script.tsx'

export function Page() {
  const { env, backendVersion } = environment.value ?? {}
  useFocusOnNextStep()
  return (
    <>
      <a class="skip" href="#transfer">
        Skip to the steps
      </a>
      <header class="top">
        <div class="top-in">
          <p class="name">
            Transaction back end <span class="badge">Playground</span>
          </p>
          <a href={`${baseUrl}/docs`}>API docs</a>
        </div>
      </header>
      <main>
        <div class="hero">
          <h1>From a quote to a completed transfer</h1>
          <p>
            Walk through the client flow against this server, <code>{baseUrl}</code>. Each step shows its
            request and the response.
          </p>
          <Scenarios />
        </div>
        <TransferStep />
        <QuoteStep />
        <ApprovalStep />
        <SubmissionStep />
        <StatusStep />
        <WholeScript />
      </main>
      <footer>
        <p class="foot">
          <span>Networks: {env}</span>
          <span>Version {backendVersion}</span>
          <a href={`${baseUrl}/docs/json`}>OpenAPI document</a>
        </p>
      </footer>
    </>
  )
}

/**
 * Moves the focus to the heading of each step that is reached. Never moves it back: a step that is forgotten because the
 * user edits a field must not take the focus from the field.
 */
function useFocusOnNextStep(): void {
  const last = useRef(nextStep.peek())
  useSignalEffect(() => {
    nextStep.value
    // Wait until the page has rendered the step.
    requestAnimationFrame(() => {
      const step = nextStep.peek()
      const before = last.current
      last.current = step
      if (step === undefined || (before !== undefined && steps.indexOf(step) <= steps.indexOf(before))) return
      document.getElementById(`${step}-title`)?.focus({ preventScroll: true })
      document.getElementById(step)?.scrollIntoView()
    })
  })
}

/** Renders buttons that fill in the form for a kind of transfer. */
function Scenarios() {
  return (
    <fieldset class="scenarios" disabled={isLocked.value}>
      <legend class="visually-hidden">Start from</legend>
      {scenarios.map(scenario => (
        <button
          key={scenario.name}
          type="button"
          disabled={!isOffered(scenario)}
          aria-pressed={isChosen(scenario)}
          onClick={() => choose(scenario)}
        >
          {scenario.name}
        </button>
      ))}
    </fieldset>
  )
}
