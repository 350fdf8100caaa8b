import { z } from 'zod';

const Labels = z.record(z.string(), z.string());

const Port = z.object({ name: z.string(), containerPort: z.number() });

const Container = z.object({
  name: z.string(),
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.tuple([Port]),
  livenessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  readinessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ cpu: z.string().optional(), memory: z.string() }),
  }),
  securityContext: z.unknown(),
  volumeMounts: z.array(
    z.object({
      name: z.string(),
      mountPath: z.string(),
      subPath: z.string().optional(),
      readOnly: z.boolean().optional(),
    }),
  ),
});

const Volume = z.object({
  name: z.string(),
  configMap: z.object({ name: z.string() }).optional(),
  secret: z.object({ secretName: z.string(), defaultMode: z.number() }).optional(),
});

/** Checked parts of a workload. */
export const Workload = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: Labels }),
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({
        automountServiceAccountToken: z.boolean(),
        enableServiceLinks: z.boolean(),
        securityContext: z.looseObject({
          runAsUser: z.number(),
          runAsGroup: z.number(),
          fsGroup: z.number(),
        }),
        containers: z.tuple([Container]),
        volumes: z.array(Volume),
      }),
    }),
  }),
});
