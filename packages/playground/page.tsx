import { Icon } from './parts/icon.tsx'
import { baseUrl } from './service.ts'
import { environment } from './state/catalogue.ts'
import { currentStep, isDone, steps, titles } from './state/flow.ts'
import { isLocked } from './state/submission.ts'
import { choose, isChosen, isOffered, scenarios } from './state/transfer.ts'
import { ApprovalStep } from './steps/approval-step.tsx'
import { QuoteStep } from './steps/quote-step.tsx'
import { StatusStep } from './steps/status-step.tsx'
import { SubmissionStep } from './steps/submission-step.tsx'
import { TransferStep } from './steps/transfer-step.tsx'
import { WholeScript } from './steps/whole-script.tsx'

/** Renders the page. */
export function Page() {
  const { env, backendVersion } = environment.value ?? {}
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
          <StepNavigation />
          <p class="top-links">
            <a href={`${baseUrl}/docs`}>API docs</a>
          </p>
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
          {env !== undefined && <span>Networks: {env}</span>}
          {backendVersion !== undefined && <span>Version {backendVersion}</span>}
          <a href={`${baseUrl}/docs/json`}>OpenAPI document</a>
        </p>
      </footer>
    </>
  )
}

/** Shows the current position in the flow. */
function StepNavigation() {
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {steps.map((step, index) => (
          <li key={step}>
            <a
              href={`#${step}`}
              aria-current={currentStep.value === step ? 'step' : undefined}
              data-done={isDone(step)}
            >
              <span class="steps-number" aria-hidden="true">
                {isDone(step) ? <Icon name="check" /> : index + 1}
              </span>{' '}
              <span>{titles.value[step]}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
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
