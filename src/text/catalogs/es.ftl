# Spanish. No native speaker has read this catalog yet.
#
# $-variables are what the program fills in. Names of phones, groups, accounts and people are text by others and stay as they are.

## fleet: problems of phones

problem-sold_offline = Vendido, sin conexión
problem-sold_offline-meaning = Un cliente está pagando por este teléfono, y está sin conexión.
problem-sold_offline-advice = Revisa la energía, los datos móviles y la app: cuanto más tiempo siga así, mayor será el reembolso.
problem-self_rented_offline = Alquiler propio, sin conexión
problem-self_rented_offline-meaning = Estás pagando este alquiler, y el teléfono está sin conexión.
problem-self_rented_offline-advice = Revisa la energía, los datos móviles y la app, o termina el alquiler.
problem-tunnel_missing = Sin túnel
problem-tunnel_missing-meaning = Tienes alquilado este teléfono, pero no tiene túnel, así que no puedes usarlo.
problem-tunnel_missing-advice = Crea el túnel en el panel del hoster, o termina el alquiler.
problem-tunnel_down = Túnel caído
problem-tunnel_down-meaning = Tienes alquilado este teléfono. Está en línea, pero su túnel está caído.
problem-tunnel_down-advice = Reinicia la app. Si hay muchos túneles caídos, la causa probable es el marketplace.
problem-tunnel_without_login = Túnel sin credenciales
problem-tunnel_without_login-meaning = Tienes alquilado este teléfono. Su túnel funciona, pero no tiene credenciales activas.
problem-tunnel_without_login-advice = Crea credenciales en el panel del hoster.
problem-offline = Sin conexión
problem-offline-meaning = Lleva más tiempo de lo habitual sin reportar. Nadie puede alquilarlo hasta que lo haga.
problem-offline-advice = Revisa la energía, los datos móviles y la app.
problem-heartbeat_unreadable = Sin señal
problem-heartbeat_unreadable-meaning = El marketplace no indica cuándo estuvo en línea este teléfono por última vez.
problem-heartbeat_unreadable-advice = Revísalo en el panel del hoster y reinicia su app.
problem-rotation_stopped = Rotación detenida
problem-rotation_stopped-meaning = La rotación de IP estaba activada y se detuvo.
problem-rotation_stopped-advice = Vuelve a activarla, a menos que la hayas desactivado tú.
problem-not_set_up = Sin configurar
problem-not_set_up-meaning = Su configuración no está completa, así que nadie puede alquilarlo.
problem-not_set_up-advice = Completa la configuración en el panel del hoster, o archiva el teléfono.
problem-not_listed = En línea, no publicado
problem-not_listed-meaning = Está en línea y libre, pero no publicado, así que nadie puede alquilarlo.
problem-not_listed-advice = Publícalo en el marketplace.
problem-idle_too_long = Días sin alquilarse
problem-idle_too_long-meaning = Está publicado, pero nadie lo ha alquilado en mucho tiempo (problems.idle_after).
problem-idle_too_long-advice = Compáralo con teléfonos alquilados del mismo modelo en el mismo lugar.
problem-given_up = Días sin conexión
problem-given_up-meaning = Nadie lo alquila, y lleva mucho tiempo sin conexión (problems.given_up_after).
problem-given_up-advice = Repáralo o archívalo.
problem-in_maintenance = En mantenimiento
problem-in_maintenance-meaning = Las alertas de este teléfono están silenciadas.
problem-in_maintenance-advice = Termina el mantenimiento cuando hayas acabado.
no-problems = Sin problemas

## fleet: incidents that are no problem of a single phone, and how incidents end

incident-flapping = Se desconecta y vuelve una y otra vez
incident-credential_changed = Credenciales modificadas
incident-left = Ya no está en el marketplace
incident-earns_nothing = No genera ingresos
incident-common_cause = Caída
incident-many_sold_offline = Caída masiva de teléfonos vendidos
incident-many_offline = Caída masiva
incident-many_left = Muchos teléfonos ya no están en el marketplace
incident-many_credentials_changed = Credenciales modificadas en muchos túneles
incident-key_refused = Clave de API rechazada
incident-api_unavailable = API del marketplace no disponible
incident-api_degraded = Datos del marketplace incompletos
incident-tunnels_unreadable = Datos de túneles no disponibles
incident-balance_unreadable = Saldo no disponible
incident-balance_low = Saldo bajo

end-back = de nuevo en línea
end-left = salió de la lista de dispositivos
end-returned = de nuevo en la lista
end-rented = ya se alquiló
end-rental_ended = alquiler terminado
end-given_up = dado por perdido
end-not_set_up = ya no está configurado
end-offline = el propio teléfono está sin conexión
end-works_again = funciona de nuevo
end-readable = legible de nuevo
end-mended = corregido
end-answers_again = responde de nuevo
end-key_taken = clave aceptada
end-paid_in = saldo recargado
end-limit_removed = límite eliminado
end-calm = estable de nuevo
end-notified = evento único
end-maintenance = en mantenimiento
end-limit_changed = umbral modificado
end-clock_set = el reloj estaba mal
end-account_removed = cuenta eliminada
# $reason is one of the messages above, such as "rented now".
end-still-offline = { $reason }, sigue sin conexión

## fleet: statuses of phones, rentals and tunnels, in small letters

status-sold = vendido
status-self_rented = alquiler propio
status-idle = libre
status-other = otro
status-listed = publicado
status-not_listed = no publicado
status-awaiting_device_details = en espera de datos
status-awaiting_agent = en espera del agente
status-active = activa
status-draft = borrador
status-incomplete = incompleta
status-complete = completa
status-enabled = activada
status-disabled = desactivada
status-stopped = detenida
status-paused = en pausa
status-up = funciona
status-down = caído
status-none = ninguno
status-unknown = desconocido
status-sold_online = vendido en línea
status-sold_offline = vendido sin conexión
status-maintenance = mantenimiento
status-rotation_stopped = rotación detenida
status-not_set_up = sin configurar
status-idle_too_long = libre demasiado tiempo
status-given_up = dado por perdido

## fleet: phones and their numbers

phones =
    { $count ->
        [one] { $count } teléfono
       *[other] { $count } teléfonos
    }
count-sold = vendidos: { $count }
count-not-set-up = { $count } sin configurar
# Phones whose alerts are muted, because somebody works on them.
count-muted = { $count } en mantenimiento
# Such as "9 of 12 phones offline".
count-offline-of =
    { $all ->
        [one] { $offline } de { $all } teléfono sin conexión
       *[other] { $offline } de { $all } teléfonos sin conexión
    }
group = Grupo
# Such as "12 phones, 11 online, 4 sold".
group-counts =
    { $count ->
        [one] { $count } teléfono, { $online } en línea, vendidos: { $sold }
       *[other] { $count } teléfonos, { $online } en línea, vendidos: { $sold }
    }
all-phones = todos los teléfonos
all-phones-of = todos los teléfonos de { $account }
no-group = sin grupo
several-groups = varios grupos
unnamed = sin nombre
mute-2h = Silenciar 2 h
mute-back = Silenciar hasta que vuelva
# Why the exporter refused a change.
not-changed = No se cambió nada: { $reason }
# A phone or a group with its account, where there are several accounts.
name-of = { $name } de { $account }
# A group that several accounts have.
name-of-all-accounts = { $name } de todas las cuentas
# The rest of a list.
and-more = y { $count } más
no-phones = No hay teléfonos. ¿Es la clave de API correcta?
no-phones-in = No hay teléfonos en { $names }. ¿Es la clave de API correcta?

## fleet: outages

place-tunnel_host = host de túneles { $value }
place-account = cuenta { $value }
place-app_version = versión de la app { $value }
place-model = modelo { $value }
cause-advice-group = Revisa la energía y la conexión a internet del grupo.
cause-advice-tunnel_host = Probablemente el host de los proxies está caído.
cause-advice-account = Revisa la conexión a internet del lugar, o pregunta al marketplace.
cause-advice-app_version = La causa probable es una actualización de la app.
cause-advice-model = La causa probable es una falla de este modelo.
cause-advice-other = Revisa qué más tienen en común.
cause-within = Todos se desconectaron en un lapso de { $span }.
cause-others =
    { $count ->
        [0] Ningún otro teléfono se desconectó en ese momento.
        [one] { $count } teléfono más se desconectó en ese momento.
       *[other] { $count } teléfonos más se desconectaron en ese momento.
    }
cost-per-hour = aprox. { $amount } por hora (estimación)
acknowledged-at = en atención desde { $time }
acknowledged-by = { $person } se encarga desde { $time }

## fleet: times

seconds = { $count } s
minutes = { $count } min
hours = { $count } h
days = { $count } d
since = desde { $time }
more-than = más de { $duration }
unknown-time = hora desconocida
offline-after = Sin conexión tras { $limit } sin señal.
offline-after-beats =
    { $beats ->
        [one] Suele reportar cada { $usual } y puede perder { $beats } señal.
       *[other] Suele reportar cada { $usual } y puede perder { $beats } señales seguidas.
    }
offline-after-longest =
    { $days ->
        [one] Intervalo normal más largo en { $days } día: { $longest }.
       *[other] Intervalo normal más largo en { $days } días: { $longest }.
    }
offline-after-excused = No se cuentan { $span } en los que el marketplace no respondió.

## fleet: the age of the data

state-fresh = Al día
state-stale = No se actualiza
state-expired = Desactualizado
data-some-accounts = { $state } ({ $affected } de { $all } cuentas)
data-waiting = Esperando al exporter
data-unreachable = Exporter inaccesible
data-loading = Cargando
data-first-poll = Esperando la primera consulta
data-none = Aún no hay datos
# The age of the data, such as "3 min old".
data-age = de hace { $age }
data-age-none = aún no hay
# The age, and why the data is not fresh.
data-text = Datos: { $text }.
# Before something that was true at that time.
as-of = Según datos de { $time }:
unknown-too-old = se desconoce, porque los datos son demasiado antiguos
unknown-no-data = se desconoce, porque aún no hay datos

# What the exporter has done. A time may follow, as in message "since".
request-no-response = No responde
request-login = Pide iniciar sesión
request-foreign = En su lugar responde una página de inicio de sesión u otro servidor
request-upgraded = Tiene una versión nueva
request-status = Responde con el estado { $status }
next-keeps-trying = La página sigue intentándolo.
next-waiting = La página está esperando una respuesta.
next-log-in = Recarga esta página para iniciar sesión.
next-may-log-in = Recarga esta página: puede que te pida iniciar sesión.
next-reload = Recarga esta página.

notice-settings = Se ignoraron algunos ajustes
notice-files = Algunos archivos no se pueden usar
notice-in-the-log = { " " }en el log del exporter
notice-page-without-data = La página aún no tiene datos.
notice-data-from = Ves los datos de { $time }, de hace { $age }.
notice-data-age = Ves los datos de hace { $age }.
notice-waiting-since = Sin noticias del exporter desde { $time }
notice-unreachable = No se puede contactar al exporter
notice-learning = Aprendiendo cada cuánto reportan tus teléfonos, hasta { $time }
notice-learning-text = Al principio, un teléfono cuenta como sin conexión tras 10 minutos sin señal; después, tras 3 a 30 minutos, según el teléfono. Ya recibes alertas de teléfonos sin conexión, caídas, una clave rechazada y un marketplace que no responde.
notice-phones-at = Ves los teléfonos según los datos de { $time }.
notice-key-retry = Hasta entonces, el exporter vuelve a probar la clave actual cada 5 min.
notice-back = El marketplace volvió. Los teléfonos tienen hasta { $time } para reportar
notice-back-text = No pudieron reportar durante la caída. Hasta entonces, no cuentan como sin conexión.
notice-no-poll = Desde entonces no ha terminado ninguna consulta.
notice-retrying = Se reintenta cada { $interval }.
news-devices-since = Sin noticias del marketplace desde { $time }
news-devices-yet = Aún sin noticias del marketplace
news-tunnels-since = Sin noticias de los túneles desde { $time }
news-tunnels-yet = Aún sin noticias de los túneles
news-balance-since = Sin noticias del saldo desde { $time }
news-balance-yet = Aún sin noticias del saldo
# $title is one of the messages above.
news-not-phones = { $title }: el problema no son tus teléfonos

access-missing_key = El marketplace no recibió ninguna clave (MISSING_API_KEY): puede que un proxy la haya quitado.
access-invalid_key = El marketplace rechaza la clave (INVALID_API_KEY): es incorrecta, o la cuenta está suspendida.
access-suspended = La cuenta está suspendida, o la clave es incorrecta (HOSTER_BANNED): el panel del hoster muestra cuál es el caso.
access-denied = El marketplace rechaza la clave.
key-file-of-systemd = el archivo que carga el servicio de systemd (LoadCredential)
key-environment = el entorno del exporter
key-without-phones = La clave en { $place } no tiene teléfonos en { $address }.
key-new-variable = Pon una clave nueva en { $place } y reinicia el exporter.
key-new-systemd = Pon una clave nueva en { $place } y ejecuta: { $command }.
key-new-service = Pon una clave nueva en { $place } y reinicia el servicio.
key-new-file = Pon una clave nueva en { $place }. La próxima consulta la usará, sin reiniciar.

failure-dns = No se pudo resolver el host de api_url. Revisa que esté bien escrito y el DNS de esta máquina.
failure-connect = No se pudo conectar. Revisa api_url, el firewall y que la API funcione.
failure-reset = La conexión se cortó antes de la respuesta. Si continúa, pregunta al marketplace.
failure-timeout = La respuesta tardó demasiado. Si continúa, aumenta client.timeout.
failure-tls = Falló el handshake TLS. Revisa el host y el puerto de api_url, el reloj, y client.ca_file si lo usas.
failure-redirect = La API redirigió la solicitud. Las redirecciones no se siguen, porque llevarían la clave. Si la nueva dirección es la API, ponla en api_url. También puede ser la página de inicio de sesión de esta red.
failure-edge_block = Un proxy delante de la API, o esta red, rechazó la solicitud. Pregunta al marketplace si tu dirección está bloqueada.
failure-envelope = La respuesta no es un objeto JSON con success y data. Revisa que api_url sea la dirección base de la API, y que esta red no pida iniciar sesión.
failure-encoding = La respuesta no es UTF-8, o tiene una compresión desconocida. Revisa si un proxy modifica las respuestas.
failure-truncated = La respuesta llegó cortada. Si continúa, pregunta al marketplace.
failure-too_large = La respuesta es demasiado grande. Revisa que api_url sea la dirección base de la API.
failure-schema = Los datos no coinciden con la documentación de la API. Puede que la API haya cambiado: busca una versión más nueva.
failure-unauthorized = La clave falta o no es válida, o la cuenta está suspendida. Revisa ambas cosas.
failure-throttled = Demasiadas solicitudes. Consulta con menos frecuencia, o reduce client.concurrency.
failure-server = La API falló (estado 5xx). Si continúa, pregunta al marketplace.
failure-not_found = No se encontró la API en esta dirección. Revisa que api_url sea su dirección base.
failure-bad_request = La API rechazó la solicitud. Puede que haya cambiado: busca una versión más nueva.
failure-inconsistent = Los datos se contradicen. Si continúa, pregunta al marketplace.
failure-internal = Es un error de hoster-exporter. Por favor, repórtalo.

## features/incidents

incidents-total = total
incidents-none = Sin incidentes
incidents-last-days =
    { $days ->
        [one] Último día
       *[other] Últimos { $days } días
    }
incidents-since = Desde { $time } (sin datos anteriores)
incidents-count =
    { $count ->
        [one] { $count } incidente
       *[other] { $count } incidentes
    }
incidents-outages =
    { $count ->
        [one] { $count } caída
       *[other] { $count } caídas
    }
incidents-open = { $count } sin resolver
incidents-more-open = y { $count } más sin resolver
incidents-median-acknowledge = mediana hasta atender { $duration }
incidents-median-repair = mediana hasta reparar { $duration }
incidents-longest = máximo { $duration }
incidents-week-none = { $period }: sin incidentes.
incidents-week-before =
    { $count ->
        [one] La semana anterior: { $count } incidente.
       *[other] La semana anterior: { $count } incidentes.
    }
incidents-days-before = Los 31 días anteriores: { $numbers }.
# Places, each with its sold time offline.
incidents-worst = Lo peor: { $names }.
incidents-worst-phones = Teléfonos: { $names }.
# $time is such as "3 h 10 min (about €2.50, estimated), before: 1 h".
incidents-sold-time = Tiempo vendido sin conexión: { $time }.
incidents-sold-cost = (aprox. { $amount }, estimación)
incidents-before = antes: { $duration }
incidents-balance = Saldo observado: +{ $in }, −{ $out }.
incidents-failed = No se pudieron cargar los incidentes: { $reason }
incidents-nobody-any-more = Ya nadie se encarga.
incidents-nobody = Nadie se encarga.
incidents-is-on-it = { $person } se encarga.
incidents-has-been-on-it = { $person } se encarga desde { $time }.
incidents-somebody = Alguien
incidents-noted-saved = La nota se guardó.
incidents-noted-corrected = La nota se corrigió.
incidents-noted-removed = La nota se eliminó.
incidents-note-gone = Esta nota ya no existe.
incidents-note-length = una nota tiene de 1 a { $max } caracteres, y esta tiene { $count }
incidents-no-phone = Ningún teléfono tiene este ID o esta etiqueta.
incidents-several-phones =
    { $count ->
        [one] { $count } teléfono tiene este nombre: usa el ID, o agrega la cuenta.
       *[other] { $count } teléfonos tienen este nombre: usa el ID, o agrega la cuenta.
    }
incidents-not-open = Este incidente no está abierto: puede que ya se haya resuelto.
incidents-no-such-id = Ningún incidente tiene este ID.
incidents-several-accounts = Varias cuentas tienen un incidente con este ID: agrega la cuenta.
incidents-other-version = El exporter tiene otra versión de los incidentes

## features/incidents/chat.ts

incidents-log-command = Incidentes de 31 días, primero los abiertos: /log, /log rack-03
incidents-ack-command = Me encargo: /ack muestra los incidentes abiertos
incidents-note-command = Nota sobre un teléfono: /note rack-03/slot-04 batería hinchada; o responde a una alerta
incidents-notes-command = Notas: /notes, /notes rack-03
incidents-no-such-code = Ningún incidente tiene este número.
incidents-not-about = Este mensaje no trata de un incidente abierto. /ack los muestra.
incidents-none-called = Ningún incidente abierto se llama { $name }. /ack los muestra.
incidents-which = ¿De cuál te encargas?
incidents-free = Aún nadie se encarga de estos. ¿De cuál te encargas?
incidents-which-note = ¿Sobre cuál es la nota?
incidents-is-it-this-phone = ¿Una nota sobre este teléfono?
incidents-no-subject = No se guardó nada: este mensaje no trata de un teléfono ni de un incidente. Responde a una alerta, o escribe /note rack-03/slot-04 y la nota.
incidents-edit-note = Para corregirla, edita tu mensaje.
incidents-not-corrected = La nota no se modificó. Para pasarla a otro teléfono, elimínala y escríbela de nuevo.
incidents-nothing-to-mute = No tiene teléfonos que silenciar.
incidents-mute-phones = ¿silenciar sus teléfonos?
incidents-none-known = No se conocen incidentes abiertos. Datos: { $text }.
incidents-none-open = No hay incidentes abiertos.
incidents-all-acknowledged = Todos los incidentes abiertos están en atención.
incidents-take-it-back = Ya no me encargo
incidents-on-it = Me encargo: { $name }
incidents-mute = Silenciar: { $name }
incidents-name-since = { $name } desde { $time }
# How an incident ended, before the time.
incidents-label-resolved = { $name }, resuelto { $time }
incidents-label-muted = { $name }, silenciado { $time }
incidents-label-changed = { $name }, cambió { $time }
incidents-ended-resolved = { $name } se resolvió ({ $time }){ $why }.
incidents-ended-muted = { $name } se silenció ({ $time }){ $why }.
incidents-ended-changed = { $name } terminó ({ $time }){ $why }.
incidents-goes-on = Continúa como { $name }: { $command }
incidents-note-after-name = Escribe la nota después del nombre: /note rack-03/slot-04 batería hinchada
incidents-note-after-command = Escribe la nota después del comando, o simplemente responde con ella.
incidents-remove-it = Eliminarla
incidents-remove-text = Eliminar: { $text }
incidents-note = Nota: { $text }
incidents-no-notes = No hay notas.

## features/maintenance

maintenance-unknown-account = Cuenta desconocida: “{ $name }”.
maintenance-unknown-group = Grupo desconocido: “{ $name }”.
maintenance-unknown-phone = Teléfono desconocido: “{ $name }”.
maintenance-known = Conocidos: { $names }.
maintenance-did-you-mean = ¿Quisiste decir “{ $name }”?
maintenance-counts =
    { $count ->
        [one] { $count } teléfono, { $offline } sin conexión
       *[other] { $count } teléfonos, { $offline } sin conexión
    }
maintenance-by = por { $person }
# $until is one of the messages below, such as "until 23:28".
maintenance-muted = { $name }: alertas silenciadas { $until } ({ $counts })
maintenance-muted-by = { $name }: alertas silenciadas { $until } por { $person } ({ $counts })
maintenance-until = hasta { $time }
maintenance-until-back = hasta que cada teléfono vuelva a estar en línea, como máximo hasta { $time }
maintenance-until-gone-and-back = hasta que cada teléfono se desconecte y vuelva, como máximo hasta { $time }
maintenance-none = Ningún teléfono está en mantenimiento.
maintenance-list = En mantenimiento:
maintenance-ended = Terminó el mantenimiento de { $name }.
maintenance-none-offline =
    { $count ->
        [one] { $count } teléfono, ninguno sin conexión
       *[other] { $count } teléfonos, ninguno sin conexión
    }
maintenance-back =
    { $all ->
        [one] { $back } de { $all } teléfono de nuevo en línea
       *[other] { $back } de { $all } teléfonos de nuevo en línea
    }
maintenance-still-offline = Sin conexión: { $names }.
# In that list.
maintenance-phone-since = { $name } desde { $time }
maintenance-extended = prolongado
maintenance-ended-now = Mantenimiento terminado.
maintenance-stays =
    { $count ->
        [one] { $count } teléfono sigue en mantenimiento por { $name }, hasta { $time }.
       *[other] { $count } teléfonos siguen en mantenimiento por { $name }, hasta { $time }.
    }
maintenance-then-notified = Si aún hay teléfonos sin conexión, recibirás un aviso.
maintenance-then-notified-others = Si aún hay otros teléfonos sin conexión, recibirás un aviso.

## features/maintenance/chat.ts

maintenance-command = Silenciar alertas: /maintenance rack-03 2h mudanza; sin nada más, muestra los mantenimientos
maintenance-back-command = Terminar el mantenimiento: /back rack-03, /back all
maintenance-phone-offline = En mantenimiento { $details }: sin conexión desde { $time }
maintenance-phone-online = En mantenimiento { $details }: en línea
maintenance-group = En mantenimiento { $details }.
maintenance-group-some =
    { $all ->
        [one] En mantenimiento: { $count } de { $all } teléfono, { $details }.
       *[other] En mantenimiento: { $count } de { $all } teléfonos, { $details }.
    }
maintenance-how-long = ¿Por cuánto tiempo? Mínimo un minuto y máximo 30 días, por ejemplo 2h.
maintenance-time-hint = Escribe un tiempo como 2h, 90 min, 18:00 o back.
maintenance-has-no-phones = { $name } no tiene teléfonos.
maintenance-yes = Sí
maintenance-no = No
maintenance-none-offline-now =
    { $count ->
        [one] { $count } teléfono, ninguno sin conexión ahora
       *[other] { $count } teléfonos, ninguno sin conexión ahora
    }
maintenance-already = { $count } ya en mantenimiento
maintenance-because = Motivo: { $reason }.
maintenance-will-be-muted = Sus alertas se silenciarán.
maintenance-until-when = ¿Hasta cuándo?
maintenance-is-that-right = ¿Es correcto?
maintenance-nothing-to-end = No hay ningún mantenimiento que terminar.
maintenance-none-matches = Ningún mantenimiento coincide con { $name }. Activos:
maintenance-end-question = ¿Terminarlo? Si aún hay teléfonos sin conexión, recibirás un aviso de inmediato.
maintenance-end-all-question = ¿Terminarlos todos? Si aún hay teléfonos sin conexión, recibirás un aviso de inmediato.
maintenance-end-it = Terminarlo
maintenance-end-all = Terminar todos
maintenance-which = ¿Qué mantenimiento quieres terminar?
maintenance-already-ended = Este mantenimiento ya terminó.
maintenance-may-be-saved = Puede que el cambio se haya aplicado: /maintenance lo muestra.
maintenance-not-changed = No se cambió nada.
maintenance-not-the-exporter = Respondió algo que no es el exporter.
maintenance-started = Mantenimiento iniciado. { $name }: { $text }. Termínalo con /back.

## features/month

month-summary =
    { $interruptions ->
        [one] Vendido el { $sold } del tiempo, disponible el { $available } del tiempo vendido, { $interruptions } interrupción.
       *[other] Vendido el { $sold } del tiempo, disponible el { $available } del tiempo vendido, { $interruptions } interrupciones.
    }
month-offline = Vendido y sin conexión: { $hours }.
month-offline-cost = Vendido y sin conexión: { $hours }, aprox. { $amount }.
month-muted = Sin conexión en mantenimiento: { $hours }.
month-costly-cost = { $name } ({ $hours }, aprox. { $amount })
month-costly-none = Ningún teléfono estuvo vendido y sin conexión una hora o más.
month-costly = Más tiempo vendido perdido: { $names }.
month-no-data = { $month }: aún no hay datos.
month-none-of = no hay datos de { $month }
month-no-group = { $month }: ningún grupo se llama { $name }.
month-no-report = No hay reporte: { $reason }

## features/month/chat.ts

month-command = Reporte mensual: /month, /month racks, /month 2026-10 rack-03
month-not-a-month = { $month } no es un mes como 2026-10.
month-other-version = El exporter tiene otra versión del reporte
month-csv-semicolon = CSV con ;
month-csv-comma = CSV con ,
month-file = { $month }: una línea por cada teléfono.

## features/page

page-fleet = Flota
page-sections = Secciones
page-guide = Guía
page-guide-title = Guía: los problemas y qué hacer
page-guide-text = Cada cuadro es un teléfono, con el color de su problema más costoso. Si fallan las actualizaciones, ves los últimos datos, que se vuelven grises al cabo de un rato. Presiona / para buscar; las flechas del teclado pasan de un teléfono a otro dentro del grupo. Consulta docs/API.md para los datos de esta página, y docs/METRICS.md para todas las métricas.
page-licences = Licencias del software de esta página
page-language = Idioma
page-skip = Ir a los teléfonos
page-metrics = Métricas
page-health = Salud
page-newer = El exporter es más nuevo que esta página
page-newer-text = La página se recarga sola en cuanto nadie esté escribiendo. Si este mensaje no desaparece, recarga la página.
page-failed = Algo falló en esta página
page-failed-text = { $title } ({ $reason }). Recárgala, o abre el
# $parts are what could not be shown, in the words of the next messages.
page-failed-parts = No se muestra: { $parts }. El resto está abajo. Recarga la página; si continúa, consulta el JSON.
page-part-failed = No se puede mostrar “{ $name }” ({ $reason }). El resto de la página no está afectado. Recarga la página, o usa un navegador más nuevo.
page-part-age = la antigüedad de los datos
page-part-phones = los teléfonos
page-part-accounts = las cuentas
page-part-attention = lo que requiere atención
page-part-sentence = la frase
page-part-links = los enlaces
page-part-zone = la zona horaria
page-part-version = la versión
page-unknown = Desconocido
page-top = Inicio
page-totals = Totales
page-phones = Teléfonos
page-activity = Actividad
page-count-of = { $count } de { $all }
page-times-in = horas de { $zone }
page-loading = Cargando …
page-close = Cerrar
page-cancel = Cancelar
page-save = Guardar
page-not-saved = No se pudo guardar:
page-request-failed = no se puede contactar al exporter. { $what }. { $next }
page-try-again = Inténtalo de nuevo.
page-status = estado { $status }

# The sentence at the top.
page-attention =
    { $count ->
        [one] { $count } teléfono requiere atención
       *[other] { $count } teléfonos requieren atención
    }
page-attention-more =
    { $count ->
        [one] { $count } teléfono más requiere atención
       *[other] { $count } teléfonos más requieren atención
    }
# After one of them, where all are in one group.
page-in = en { $group }
page-outages =
    { $count ->
        [one] Caída: { $names }
       *[other] Caídas: { $names }
    }
page-first-since = el primero desde las { $time }
page-sold-offline =
    { $count ->
        [one] { $count } teléfono vendido está sin conexión
       *[other] { $count } teléfonos vendidos están sin conexión
    }
page-all-online =
    { $count ->
        [one] El teléfono está en línea
       *[other] Los { $count } teléfonos están en línea
    }
page-online =
    { $all ->
        [one] { $online } de { $all } teléfono en línea, nada requiere atención
       *[other] { $online } de { $all } teléfonos en línea, nada requiere atención
    }
page-no-data-yet = Aún no hay datos.
page-no-problems-at = Sin problemas según datos de { $time }. Sin datos desde entonces.
page-no-problems-so-far = Sin problemas hasta ahora. Puede que algunos teléfonos sigan sin conexión desde la caída.
page-none-in-service = Ningún teléfono está en servicio
page-nothing-then = Nada requería atención en ese momento.
page-last-known = Último estado conocido: { $title }.
# What happened before, such as "rack-03 was offline 12:17–12:29, 2 sold phones."
page-was-offline = { $name } estuvo sin conexión { $span }
page-were-offline = { $name } estuvieron sin conexión { $span }
page-sold-phones =
    { $count ->
        [one] { $count } teléfono vendido
       *[other] { $count } teléfonos vendidos
    }
page-other-outages =
    { $count ->
        [one] y { $count } caída más
       *[other] y { $count } caídas más
    }
page-no-recent-alerts = Sin alertas recientes.
page-last-alert = Última alerta: { $what }, { $span }.
page-at = A las { $time }

# The wall: what a square shows, in small letters.
cell-sold_offline = vendido, sin conexión
cell-rented_away = alquiler propio, sin conexión o sin túnel
cell-offline = sin conexión
cell-muted = en mantenimiento
cell-sold = vendido
cell-self_rented = alquiler propio
cell-idle = libre
cell-off = sin usar
page-legend = Leyenda
page-all = Todos los teléfonos
page-no-group = Sin grupo
page-bar = Teléfonos: { $name }
page-card-attention =
    { $count ->
        [one] { $count } de { $all } requiere atención
       *[other] { $count } de { $all } requieren atención
    }
page-card-ok = { $count } OK
page-card-off = { $count } sin usar
page-card-muted-offline = { $count } de ellos sin conexión

page-needs-attention = Requiere atención
page-more-phones = y { $count } más (Teléfonos)
page-for = hace { $duration }
page-mute = Silenciar …
page-on-it = Me encargo
page-take-back = Ya no me encargo

page-balance = Saldo disponible
page-no-data = sin datos
page-of-phones =
    { $count ->
        [one] de { $count } teléfono
       *[other] de { $count } teléfonos
    }
page-of-accounts = ({ $known }/{ $all } cuentas)
page-count-offline = { $count } sin conexión
page-observed = Cambios observados, no un extracto de la cuenta.
page-as-of = Datos de { $time }.
page-set-currency = No hay ninguna moneda configurada: indica HOSTER_CURRENCY, o accounts[].currency en el archivo de configuración.
page-today = { $amount } hoy
page-out-today = { $amount } hoy (salidas)
page-this-month = { $amount } este mes
page-since-day = { $amount } desde { $day }
page-pending = pendiente: { $amount }

page-removed = Retirados en las últimas 24 horas
page-removed-text = Ya no están en la lista de dispositivos: archivados o perdidos. El marketplace no indica cuál de los dos.
page-was-offline-then = estaba sin conexión
page-was-online-then = estaba en línea
page-more-json = y { $count } más (JSON)
page-rentals = Alquileres y teléfonos nuevos
event-rental_begun = Alquiler iniciado
event-rental_ended = Alquiler terminado
event-device_joined = Teléfono nuevo

# The table of all phones, the search, and the filters.
page-table = Todos los teléfonos en una tabla
page-no-phones = No hay teléfonos que mostrar.
page-none-matches = Ningún teléfono coincide con los filtros.
page-previous = Anteriores ({ $count })
page-next = Siguientes ({ $count })
page-range = { $from }–{ $to } de { $all }
page-search = Buscar etiqueta, ID, modelo …
page-search-phones = Buscar teléfonos
page-show = Mostrar
page-any-problem = Cualquier problema
page-state = Estado
page-clear = Limpiar
page-account = Cuenta
page-all-accounts = Todas las cuentas
page-group = Grupo
page-all-groups = Todos los grupos
page-tag = Tag
page-all-tags = Todos los tags
filter-online = En línea
filter-offline = Sin conexión
filter-sold = Vendido
filter-self_rented = Alquiler propio
filter-idle = Libre
filter-listed = Publicado
filter-unlisted = No publicado
column-phone = Teléfono
column-account = Cuenta
column-problem = Problema
column-rental = Alquiler
column-marketplace = Marketplace
column-heartbeat = Última señal
column-tunnel = Túnel
column-rotation = Rotación
column-setup = Config.
column-model = Modelo
column-tags = Tags
page-missing = Falta en la última lista
page-every = cada { $interval }
page-since-before = desde antes de
page-limit = límite { $duration }
page-ago = hace { $duration }
page-at-time = datos de { $time }

# One phone.
page-not-found = No se encontró el teléfono { $name }.
page-board = Panel de Grafana
page-copy = Copiar ID
page-copied = Copiado.
page-no-problem = Sin problemas.
page-runbook = Qué hacer
page-part-of = Parte de la caída de
page-offline-after = Sin conexión tras
page-price = Precio diario
page-estimate = { $amount } (estimación)
page-last-day = Últimas 24 h: { $parts }
page-online-all-day = en línea todo el tiempo
day-offline = sin conexión { $duration }
day-maintenance = en mantenimiento { $duration }
day-unknown = sin datos { $duration }
page-tap-day = Toca un día, o usa las flechas del teclado, para ver sus cifras.
page-csv-semicolon = CSV con punto y coma
page-csv-comma = CSV con comas

## features/history/browser

history-title = Evolución
history-table = Tabla
history-failed = No hay gráficos: { $reason }
history-no-library = no se cargó esa parte de la página. Recárgala.
history-days =
    { $count ->
        [one] { $count } día
       *[other] { $count } días
    }
history-self-rented = Alquiler propio, en línea
history-sold = Vendidos
history-offline-phones = Teléfonos sin conexión
history-yesterday = Ayer
history-offline = Sin conexión
history-balance = Cambios del saldo
history-balance-in = Cambios del saldo, { $currency }
history-in = Entradas
history-out = Salidas
# Compared with yesterday at this time.
history-same = { $now } sin conexión, igual que ayer a esta hora
history-more = { $now } sin conexión, { $count } más que ayer a esta hora
history-fewer = { $now } sin conexión, { $count } menos que ayer a esta hora

## features/incidents/section.tsx

incidents-title = Incidentes de los últimos 31 días
incidents-link = Incidentes
incidents-more-csv = y { $count } más en el CSV
incidents-is-open = sin resolver
incidents-day = { $date }: { $text }
incidents-notes = Notas
incidents-all = Todos
incidents-by-group = Grupo
incidents-by-phone = Teléfono
incidents-sold-time-offline = Tiempo vendido sin conexión
incidents-time-to-acknowledge = Tiempo hasta atender
incidents-time-to-repair = Tiempo hasta reparar
incidents-costliest-groups = Grupos más costosos
incidents-costliest-phones = Teléfonos más costosos
incidents-compared = (los 31 días anteriores)
# Who wrote a note, before the time; and the file that it is in.
incidents-note-by = por { $person },
incidents-note-in = en { $file }
incidents-add-note = Agregar una nota
incidents-correct = Corregir
incidents-remove = Eliminar
incidents-remove-note = Eliminar esta nota sobre { $name }
incidents-note-on = Nota sobre { $name }
incidents-you-are-on-it = Tú te encargas.

## features/maintenance/section.tsx

maintenance-title = En mantenimiento
maintenance-text = Las alertas de estos teléfonos están silenciadas.
maintenance-long = desde hace más de una semana
maintenance-end = Terminar
maintenance-end-of = Terminar el mantenimiento de { $name }
maintenance-mute = Silenciar alertas
maintenance-mute-text = Sin alertas de estos teléfonos durante ese tiempo. Si después siguen sin conexión, recibirás un aviso.
maintenance-reason = Motivo
maintenance-reason-optional = Motivo (opcional)
maintenance-hours =
    { $count ->
        [one] { $count } hora
       *[other] { $count } horas
    }
maintenance-days =
    { $count ->
        [one] { $count } día
       *[other] { $count } días
    }
maintenance-until-it-is-back = Hasta que vuelva a estar en línea

## features/month/section.tsx

month-title = Mes
month-this = Este mes
month-group-by = Agrupar
month-by-phone = por teléfono
month-by-group = por grupo
month-by-model = por modelo
month-tag-by = por { $tag }
month-rows-phone =
    { $count ->
        [one] { $count } teléfono
       *[other] { $count } teléfonos
    }
month-rows-group =
    { $count ->
        [one] { $count } grupo
       *[other] { $count } grupos
    }
month-rows-model =
    { $count ->
        [one] { $count } modelo
       *[other] { $count } modelos
    }
month-tag-rows =
    { $count ->
        [one] { $count } valor de { $tag }
       *[other] { $count } valores de { $tag }
    }
month-more = { $rows }, abajo los { $shown } peores. El CSV los tiene todos.
month-none = Sin datos.
month-last-days = Últimos 31 días
month-heading-phone = Teléfono
month-heading-group = Grupo
month-heading-model = Modelo
month-account = Cuenta
month-available = Disponible
month-sold = Vendido
month-interruptions = Interrupciones
month-offline-estimate = Costo sin conexión, est.
month-idle-estimate = Costo estando libre, est.
month-time-sold_offline = Vendido, sin conexión
month-time-sold_online = Vendido, en línea
month-time-maintenance = En mantenimiento
month-time-self_rented = Alquiler propio
month-time-idle = Libre
month-time-other = Otro
month-time-unknown = Sin datos
month-no-value = sin valor

## features/chat

somebody = alguien
chat-status-command = Problemas, teléfonos sin conexión y antigüedad de los datos
chat-offline-command = Teléfonos sin conexión: /offline, /offline rack-03
chat-phone-command = Un teléfono: /phone slot-04
chat-rack-command = Un grupo: /rack 03
chat-balance-command = El saldo
chat-language-command = El idioma de este chat: /language
chat-help-command = Esta lista
chat-language-choose = ¿En qué idioma debo escribir?
chat-language-unknown = No tengo el idioma “{ $typed }”. ¿En cuál escribo?
chat-language-set = Ahora escribo en español.
chat-needs-attention = Requiere atención: { $text }.
chat-offline = Sin conexión: { $text }.
chat-nothing = nada
chat-no-problems-since = sin problemas. Sin datos desde entonces
chat-sold-offline = vendidos y sin conexión ({ $count }); recibirás un mensaje si continúa
chat-offline-of =
    { $all ->
        [one] { $offline } de { $all } teléfono
       *[other] { $offline } de { $all } teléfonos
    }
chat-of-them-sold = de ellos vendidos: { $count }
chat-accounts-unknown =
    { $count ->
        [one] se desconoce { $count } cuenta
       *[other] se desconocen { $count } cuentas
    }
chat-offline-unknown = Sin conexión: se desconoce.
chat-none-offline = Ningún teléfono está sin conexión.
chat-muted-offline =
    { $count ->
        [one] En mantenimiento: { $count } teléfono sin conexión.
       *[other] En mantenimiento: { $count } teléfonos sin conexión.
    }
chat-muted-offline-in =
    { $count ->
        [one] En mantenimiento: { $count } teléfono sin conexión en { $groups } (ver /rack).
       *[other] En mantenimiento: { $count } teléfonos sin conexión en { $groups } (ver /rack).
    }
# After "and 3 more".
chat-more-offline = (prueba { $command })
chat-not-listed = Este teléfono no está en la lista de dispositivos.
chat-last-heartbeat = Última señal { $time }, sin conexión tras { $limit }
chat-no-heartbeat = Última señal: ninguna, sin conexión tras { $limit }
# $status is such as "sold" or "idle".
chat-status-since = { $status } desde { $time }
chat-status-since-before = { $status } desde antes de { $time }
chat-missing = Falta en la última lista de dispositivos
chat-none-called = Ningún teléfono ni grupo se llama { $name }.
chat-did-you-mean = ¿Quisiste decir { $name }?
chat-left = { $name } ya no está en la lista de dispositivos. Visto por última vez: { $time }.
chat-offline-in-it = Ahí están sin conexión: { $names }.
chat-pending = pendiente: { $amount }
chat-today = { $amount } hoy
chat-amount-since = { $amount } desde { $time }
chat-last-update = última actualización { $time }
chat-greeting =
    { $count ->
        [one] Soy el bot de { $whose }: { $count } teléfono.
       *[other] Soy el bot de { $whose }: { $count } teléfonos.
    }
chat-greeting-groups =
    { $groups ->
        [one] Soy el bot de { $whose }: { $phones } en { $groups } grupo.
       *[other] Soy el bot de { $whose }: { $phones } en { $groups } grupos.
    }
chat-this-fleet = esta flota
chat-good-morning = Buenos días.
chat-overnight = Durante la noche: { $text }.
chat-no-alerts = sin alertas
chat-alerts =
    { $count ->
        [one] { $count } alerta
       *[other] { $count } alertas
    }
chat-resolved = resueltas: { $count }
chat-muted = silenciadas: { $count }
chat-sold =
    { $all ->
        [one] { $count } de { $all } teléfono vendido
       *[other] { $count } de { $all } teléfonos vendidos
    }
chat-sold-unknown = Vendidos: se desconoce
chat-balance = Saldo: { $text }.
chat-not-kept = Solo puedo guardar texto. No se guardó: { $what }. Responde con texto.
chat-text-only = Solo puedo guardar texto. No se guardó: { $what }.
chat-note-again = La nota no se guardó: envíala de nuevo más tarde.
chat-away-since = El exporter no responde desde { $time }.
chat-away = El exporter no respondió.
chat-back = El exporter responde de nuevo.
chat-other-response = El exporter respondió con el estado { $status } y sin datos de la flota.
chat-matches =
    { $count ->
        [one] { $count } coincidencia.
       *[other] { $count } coincidencias.
    }
chat-matches-first =
    { $count ->
        [one] { $count } coincidencia, abajo las primeras { $shown }. Escribe más del nombre.
       *[other] { $count } coincidencias, abajo las primeras { $shown }. Escribe más del nombre.
    }
chat-moved = El grupo se convirtió en supergrupo y recibe respuestas con su número nuevo. Cambia el número en --chats, y chat_id en Alertmanager, cuyas alertas no lo siguen
chat-moved-to = Este grupo ahora tiene el número { $number }. { $text }.
chat-button-used = Este botón ya se usó.
chat-button-expired = Este botón caducó. Envía el comando de nuevo.
chat-which = ¿Cuál? Agrega un nombre o una parte de él después del comando.
chat-late = Tu comando anterior llegó demasiado tarde y se ignoró. Envíalo de nuevo.
chat-group = este grupo
chat-administrator = admin de { $group }
attachment-photo = foto
attachment-video = video
attachment-animation = animación
attachment-voice = mensaje de voz
attachment-video_note = videomensaje
attachment-audio = archivo de audio
attachment-document = archivo
attachment-sticker = sticker
attachment-location = ubicación
attachment-contact = contacto
attachment-poll = encuesta
attachment-other = mensaje

## features/maintenance/command.ts: headings and words of a table in a terminal

maintenance-column-id = id
maintenance-column-covers = abarca
maintenance-column-phones = teléfonos
maintenance-column-offline = sin conexión
maintenance-column-until = hasta
maintenance-column-by = por
maintenance-column-reason = motivo
maintenance-configuration = configuración

## features/incidents/command.ts: headings and words of a table in a terminal

incidents-none-since = Sin incidentes desde { $time }.
incidents-none-such-since = Sin incidentes de ese tipo desde { $time }.
incidents-somebody-small = alguien
incidents-still-open = sin resolver
incidents-column-since = desde
incidents-column-incident = incidente
incidents-column-subject = dónde
incidents-column-lasted = duración
incidents-column-phones = teléfonos
incidents-column-acknowledged = quién se encarga
incidents-column-id = id
incidents-column-before = incidentes (antes)
incidents-column-sold = tiempo vendido sin conexión
incidents-column-acknowledge = tiempo hasta atender
incidents-column-repair = tiempo hasta reparar
incidents-column-longest = más largo

## features/month/command.ts: headings and words of a table in a terminal

month-column-name = nombre
month-column-account = cuenta
month-column-sold_online = vendido, en línea
month-column-sold_offline = vendido, sin conexión
month-column-self_rented = alquiler propio
month-column-idle = libre
month-column-other = otro
month-column-maintenance = mantenimiento
month-column-unknown = sin datos
month-column-sold_share = parte vendida
month-column-availability = disponibilidad
month-column-interruptions = interrupciones
month-column-offline_estimate = costo sin conexión, est.
month-column-idle_estimate = costo estando libre, est.

## cli/check.ts: what it finds with a key

check-available = { $amount } disponibles
check-no-amount = sin importe disponible
check-right-key = ¿Es la clave de la cuenta correcta?

## features/setup

setup-ask-language = Idioma: { $languages }
setup-no-language = { $typed } no es uno de { $languages }.
setup-accounts-kept = Las cuentas de { $file } se conservan sin cambios.
setup-login = Los botones de la página de la flota piden iniciar sesión: { $user }, y la contraseña del archivo { $file }.
setup-ask-address = Dirección de la API del marketplace, por ejemplo https://api.example.com
setup-ask-key = Clave de API, del panel del hoster en el marketplace
setup-found =
    Encontrado: { $phones }
    Saldo: { $balance }
setup-try-again = Todavía no funciona. Inténtalo de nuevo, o pulsa Ctrl-C para salir.
setup-continue-anyway = ¿Continuar de todos modos?
setup-kept = Se sigue usando tu respuesta anterior; corrígela más tarde.
setup-using = Se usará { $address }.
setup-api-proxied = La API solo responde a través del proxy de tu entorno, así que el exporter lo usará.
setup-ask-currency = Moneda del saldo, por ejemplo EUR, o none
setup-no-currency = { $typed } no es un código de moneda como EUR.
setup-ask-time-zone = Tu zona horaria, para las horas de los mensajes y los días de los informes
setup-ask-channel = ¿Adónde se envían las alertas? Una de: { $channels }
setup-unknown-channel = Canal desconocido { $typed }. Opciones: { $channels }.
setup-secret-telegram = Token de tu bot, de @BotFather
setup-secret-ntfy = Dirección de tu topic, por ejemplo https://ntfy.sh/my-phones-8231
setup-secret-pushover = Token de tu aplicación en pushover.net
setup-secret-discord = Dirección del webhook de tu canal
setup-secret-slack = Dirección del webhook entrante de tu canal
setup-secret-mail = Contraseña del buzón; vacía si el servidor no la necesita
setup-secret-webhook = Dirección que recibe las alertas como JSON
setup-service-proxied = El servicio solo responde a través del proxy de tu entorno, así que las alertas lo usarán.
setup-no-address = Eso no es una dirección: debe empezar con https://.
setup-no-topic = Esa dirección no indica ningún topic.
setup-no-webhook = Esa dirección no indica ningún webhook.
setup-discord-unknown = Discord no conoce este webhook (estado { $status }).
setup-ask-pushover-user = Tu clave de usuario o de grupo de pushover.net
setup-no-pushover-user = Eso no es una clave de usuario, que tiene 30 letras y cifras.
setup-no-pushover-token = Eso no es un token, que tiene 30 letras y cifras.
setup-pushover-refused = Pushover rechaza este token.
setup-pushover-status = Pushover responde con el estado { $status }.
setup-pushover-unknown = Pushover no conoce esta clave de usuario.
setup-ask-mail-server = Servidor de correo, por ejemplo mail.example.com, con un puerto si hace falta: mail.example.com:465
setup-ask-mail-address = Dirección que envía y recibe las alertas
setup-no-mail-address = { $typed } no es una dirección de correo como me@example.com.
setup-ask-mail-user = Usuario del servidor de correo
setup-mail-refused = { $server } rechazó el inicio de sesión: { $problem }
setup-no-mail-server = { $typed } no es un servidor de correo como mail.example.com.
setup-mail-not-accepted = { $host } no acepta correo desde aquí ({ $problems }).
setup-ask-first-message = Envía cualquier mensaje a tu bot en Telegram y pulsa Enter aquí; o escribe el número del chat
setup-ask-chat = Número del chat
setup-using-chat = Se usará el chat { $number }.
setup-channel-only = Un canal solo recibe alertas: allí nadie puede enviar comandos al bot.
setup-ask-bot-answers = ¿Debe el bot responder también a comandos como /status?
setup-no-token = Eso no es un token de bot como 123456789:AAE… de @BotFather.
setup-token-refused = Telegram rechazó este token. Cópialo otra vez de @BotFather.
setup-telegram-silent = Telegram no responde: { $reason }.
setup-telegram-refused-chat = Telegram rechazó el chat { $number }: { $reason }.
setup-telegram-refused-topic = Telegram rechazó el tema { $number }: { $reason }.
setup-no-message = El bot aún no ha recibido ningún mensaje.
setup-no-chat = { $typed } no es un número de chat.
setup-supergroup = El grupo se convirtió en supergrupo. Ahora su número es { $number }.
setup-ask-topic = Número del tema para las alertas, del enlace de uno de sus mensajes; 0 para General
setup-no-topic-number = { $typed } no es un número de tema.
setup-watchdog = Si esta máquina se detiene, no puede enviar una alerta. Un servicio externo sí: por ejemplo, un chequeo gratuito en healthchecks.io.
setup-ask-watchdog = Dirección de ping de ese servicio, por ejemplo https://hc-ping.com/…, o none
setup-watchdog-status = El servicio responde con el estado { $status }.
setup-changes = Cambios en { $file }:
setup-write = ¿Guardar estos cambios?
setup-lines = { $title } { $count } líneas, se muestran con d
setup-hidden = (oculto)
setup-keep = conservar el actual
setup-nothing-written = No se guardó nada.
setup-saved = Guardado en { $directory }. Siguiente paso: { $command }
setup-no-server = No hay ningún servidor llamado { $name }.
setup-test-title = Alerta de prueba: ningún teléfono está sin conexión
setup-test-text = Si lees esto, las alertas te llegan. En unos dos minutos llegará el mensaje de que se ha resuelto.
setup-test-bot = Ahora prueba /status.
setup-test-over = la prueba ha terminado
setup-no-test = No hay ningún canal configurado, así que no hay alerta de prueba.
setup-sent = Enviado: { $channel } aceptó la alerta de prueba.
setup-arrived = ¿Ha llegado?
setup-not-sent = No se pudo enviar la alerta de prueba a { $channel }. Revisa el log de Alertmanager.

## config: texts of alerts (config/prometheus, config/alertmanager)

# The form of a date and a time, by the reference time of Go: 2 January 2006, 15:04.
alert-time = 2/01 15:04
# $reason is how it ended, such as "back online".
alert-over = { $reason } tras { $duration }
alert-over-unknown = resuelto, motivo desconocido
alert-watchdog = Las alertas funcionan
alert-watchdog-advice = Si esta alerta deja de llegar, las alertas no funcionan.
alert-exporter-down = El exporter de { $instance } no responde
alert-exporter-down-advice = Ejecuta systemctl status hoster-exporter o docker compose ps en su máquina
alert-no-exporter = Prometheus no tiene ningún exporter que consultar
alert-no-exporter-advice = Agrega un trabajo de scrape llamado hoster
alert-exporter-blind = El exporter de { $instance } no tiene datos de la cuenta { $account }, pero otro exporter sí
alert-exporter-blind-advice = Compara su red y su clave con las del otro exporter.
alert-exporter-stalled = El exporter de { $instance } no ha consultado la cuenta { $account } desde hace { $duration }
alert-exporter-stalled-advice = Reinícialo. Su registro y la página de la flota nombran el sistema de archivos que no responde.
alert-exporter-restarting = El exporter de { $instance } se reinicia una y otra vez
alert-exporter-restarting-advice = Arrancó { $count } veces en 30 minutos. Revisa su registro.
# $file is one of the five below.
alert-file-unusable = El exporter de { $instance } no puede usar su archivo: { $file }
alert-file-unusable-advice = Conserva lo que sabe, como mucho hasta que se reinicie. Revisa su página o su registro.
alert-file-configuration = configuración
alert-file-state = estado
alert-file-key = clave
alert-file-incident = incidentes
alert-file-month = mes
# $account and $reason, such as "timeout".
alert-key-refused = Clave de API rechazada: cuenta { $account }
alert-key-refused-advice = La clave es incorrecta o la cuenta está suspendida: revisa ambas.
alert-api-unavailable = API del marketplace no disponible: cuenta { $account } ({ $reason })
alert-api-schema = sus respuestas cambiaron
alert-api-unavailable-advice = Las alertas anteriores siguen abiertas. Si dura una hora, recibirás una alerta crítica.
alert-api-unavailable-long-advice = Revisa la red del exporter y luego consulta al marketplace.
alert-api-degraded = Datos del marketplace incompletos: cuenta { $account } ({ $reason })
alert-condition-list_incomplete = lista incompleta
alert-condition-devices_rejected = teléfonos sin ID
alert-condition-heartbeats_unreadable = señales ilegibles
alert-condition-fields_unreadable = campos ilegibles
alert-condition-tunnels_unanswered = túneles sin respuesta
alert-api-degraded-advice = Busca una versión más nueva del exporter y luego consulta al marketplace.
alert-balance-low = Saldo bajo: cuenta { $account },{ $amount }
alert-balance-low-advice = Recárgalo: si no, el marketplace rechazará el próximo alquiler propio.
# $place is such as "rack-01", $counts such as "4 unsold and 36 sold".
alert-outage = Caída: { $place }, teléfonos sin conexión:{ $counts }
alert-sold = { $count } vendido(s)
alert-unsold = { $count } sin vender
alert-and = y
alert-outage-advice = Revisa qué comparten: la energía y el internet del lugar, una actualización de la app, un host de proxy.
alert-no-cause-advice = No se encontró una causa común. Revisa la conexión a internet del lugar y luego los teléfonos.
alert-sold-offline-advice = Un cliente está pagando por él. Revisa la energía, los datos móviles y la app.
alert-offline-advice = Revisa la energía, los datos móviles y la app.
alert-tunnel-advice = Estás pagando por un proxy que no puedes usar. Alquílalo de nuevo o consulta al marketplace.
alert-left-advice = Si no lo archivaste tú, consulta al marketplace.
alert-earns-nothing-advice = Configúralo, publícalo, revisa su precio o archívalo.
alert-flapping-advice = Revisa el cable, el cargador y la cobertura.
alert-credential-advice = Si no fuiste tú, revisa quién tiene acceso.
# $subject is a phone, a place, or an account with its problem.
alert-not-acknowledged = Nadie se encarga: { $subject }
alert-not-acknowledged-advice = Encárgate en el chat o en la página de la flota, o llama a quien sea responsable.
alert-acknowledged = en atención o resuelto

alert-kind-resolved = [RESUELTO]
alert-kind-muted = [SILENCIADO]
alert-kind-changed = [CAMBIÓ]
alert-kind-critical = [CRÍTICO]
alert-kind-warning = [AVISO]
alert-kind-info = [INFO]
alert-of-account = (cuenta { $account })
alert-in-total = ({ $count } en total)
alert-rest = { $count } en total. El resto está en la página de la flota.
alert-runbook = Qué hacer
alert-page = Página de la flota
alert-note = Nota
alert-notes = Notas
alert-on-it = Me encargo
alert-on-it-each = Me encargo: toca el comando que le sigue
alert-on-it-all = todos
alert-phones-now = Teléfonos ahora
