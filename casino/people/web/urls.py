"""Addresses of the people pages, under the root of the site."""

from django.urls import path, re_path

from casino.people.web import administration, door

app_name = "people"

urlpatterns = [
    path("", door.home, name="home"),
    path("sign-on/", door.sign_on, name="sign_on"),
    path("sign-on/role/", door.choose_role, name="choose_role"),
    path("sign-off/", door.sign_off, name="sign_off"),
    path("own-secret/", door.own_secret, name="own_secret"),
    path("enrol/", door.enrol, name="enrol"),
    path("admin/", administration.staff, name="staff"),
    path("admin/staff/<str:number>/", administration.staff_member, name="staff_member"),
    path("admin/staff/<str:number>/badge/", administration.staff_badge, name="staff_badge"),
    path("admin/staff/<str:number>/code/", administration.staff_code, name="staff_code"),
    path(
        "admin/staff/<str:number>/roles/<str:role>/", administration.staff_role, name="staff_role"
    ),
    re_path(
        r"^admin/staff/(?P<number>[^/]+)/(?P<act>deactivate|reactivate|end-sign-on)/$",
        administration.staff_activity,
        name="staff_activity",
    ),
    path("admin/devices/", administration.devices, name="devices"),
    path("admin/devices/<str:number>/", administration.device, name="device"),
    path("admin/devices/<str:number>/code/", administration.device_code, name="device_code"),
    path(
        "admin/devices/<str:number>/revocation/",
        administration.device_revocation,
        name="device_revocation",
    ),
]
