import perfHooks from 'node:perf_hooks';

/*
 * Each registry of prom-client starts a histogram of event loop lag and an observer of garbage collections, and stops
 * neither: a hundred ticks a second each. A test process makes hundreds of registries. They share one histogram, which is
 * small and stays empty, since reading a usual one takes a millisecond of each scrape, and the newest has the observer.
 */

const histogram = Object.assign(perfHooks.createHistogram({ highest: 2, figures: 1 }), {
  enable: () => true,
  disable: () => true,
});

let newest: perfHooks.PerformanceObserver | undefined;

class SingleObserver extends perfHooks.PerformanceObserver {
  override observe(...options: Parameters<perfHooks.PerformanceObserver['observe']>): void {
    newest?.disconnect();
    newest = this;
    super.observe(...options);
  }
}

Reflect.set(perfHooks, 'monitorEventLoopDelay', () => histogram);
Reflect.set(perfHooks, 'PerformanceObserver', SingleObserver);
