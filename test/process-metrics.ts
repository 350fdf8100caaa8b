import perfHooks from 'node:perf_hooks';

/*
 * Each registry of prom-client starts a histogram of event loop lag and an observer of garbage collections, and stops
 * neither: a hundred ticks a second each. A test process makes hundreds of registries, so that all share one histogram,
 * and the newest has the observer.
 */

const { monitorEventLoopDelay, PerformanceObserver } = perfHooks;

let histogram: perfHooks.IntervalHistogram | undefined;
let newest: perfHooks.PerformanceObserver | undefined;

class SingleObserver extends PerformanceObserver {
  override observe(...options: Parameters<perfHooks.PerformanceObserver['observe']>): void {
    newest?.disconnect();
    newest = this;
    super.observe(...options);
  }
}

Reflect.set(perfHooks, 'monitorEventLoopDelay', (options?: perfHooks.EventLoopMonitorOptions) => {
  histogram ??= monitorEventLoopDelay(options);
  return histogram;
});
Reflect.set(perfHooks, 'PerformanceObserver', SingleObserver);
